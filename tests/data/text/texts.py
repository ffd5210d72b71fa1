"""About 2,300 short texts of every kind that a tokenizer may trip over; the same for every tokenizer.

`texts()` is used by the make_*.py scripts beside this file; texts.json holds what it returned.
"""
import pathlib
import random
import unicodedata

CHINESE = "注意力头把查询和键投影到同一个平面。模型在长文本中读取位置信息，窗口为四千个词元。图中显示每一层的偏差与可塑性。"
CODE = "def attention(query, key):\n    score = query @ key.T / math.sqrt(64)\n\treturn softmax(score, axis=-1)  # 0x1F\n"
EMOJI = "👍🏽 👩‍👩‍👧‍👦 🇩🇪 ❤️ 🧪😀 "
MIXED = "naïve café Ωμέγα Привет мир שלום עולם مرحبا हिन्दी ภาษาไทย 한국어 日本語テキスト ½ ² Ⅷ ١٢٣ ǅ ſ ﬁ"
LANGUAGES = [
    "The quick brown fox jumps over the lazy dog; it's 12:30 o'clock, isn't it?",
    "Größere Übung: „Straßenbahn“ – das heißt: Fußgänger dürfen nicht überqueren!",
    "L’été dernier, nous étions à Besançon où l’œuvre coûtait 1 234,56 €.",
    "El niño comió piñas; ¿cuántas? ¡Veintitrés!", "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "דג סקרן שט בים מאוכזב ולפתע מצא חברה", "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت", "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า", "키스의 고유조건은 입술끼리 만나야 하고", "いろはにほへと ちりぬるを ワカヨタレソ", "我能吞下玻璃而不伤身体。繁體字也一樣，對吧？",
    "Tiếng Việt: Một lần nữa, sự thật đã được chứng minh.", "ქართული ანბანი და ᲛᲗᲐᲕᲠᲣᲚᲘ", "Հայերեն այբուբեն", "தமிழ் எழுத்து க்ஷ ஸ்ரீ",
    "বাংলা ভাষা ক্ষ", "ភាសាខ្មែរ", "မြန်မာဘာသာ", "ᎠᏂᏴᏫᏯ ꮳꮃꭹ", "İstanbul'da ılık ışık", "ǅungla ŉ ĳssel ŀl"]
PIECES = ["a", "It", "'s", "'LL", " ", "  ", "\n", "\r", "\t", "1", "23", "½", "é", "e\u0301", "\u0323", "中", "文。", "👍", "\u200d", "<|end|>",
          "!", "?!", "word", "_", "\u00a0", "\u3000", "ſ", "\0", "<left>", "<right>", "<both>", "\U00010d40", "\U0002ebf0", "naïve",
          "▁", "▁▁", "<s>", "</s>", "<0x0A>", "<unk>", "ABC", "Abc", "aBC", "中A", "Aa中", "/", "//", "\r\n", "/\n", "...", "\u2028",
          "ｱ", "ﬁ", "①", "\u1e9b\u0323", "한", "\u1112\u1161\u11ab", "<user>", "xyz", "\x01", "\x7f", "\u200b", "\ufeff", "\ufffd"]


def licence():
    return pathlib.Path("/usr/share/common-licenses/Apache-2.0").read_text()


def corpus():
    return [licence()[:6000], CHINESE * 3, CODE * 5, EMOJI * 3, MIXED, "It's we'll they've I'm 2024 1234567 3.14159 " * 4] + LANGUAGES


def chosen():
    """Texts that somebody thought of."""
    result = ["", " ", "  ", "a", "\n", "\r\n", "\t", "\0", "a\0b", "\ufeffstart", "\ufffd", CHINESE, CODE, EMOJI, MIXED]
    result += licence()[700:2200].split("\n")[:14]
    result += ["It's", "IT'S", "it'ſ", "we'LL'Ve", "'s 's  'S", "don't''t", "I'm'd", "'", "''", "x'", "'re're", "'r", "'l"]
    result += ["1", "12", "123", "1234", "12345678901", "3.14", "½²Ⅷ", "١٢٣٤٥", "a1b22c333", "x² 10⁶", "1,000,000.00"]
    result += ["a  b", "a   b", " a", "  a", "a ", "a  ", "a\n\nb", "a \n b", "a\r\n\r\n b", "\n\n\n", " \n \n ", "\t\tx",
               "a\u00a0b", "a\u00a0\u00a0b", "\u3000全角\u3000", "a\u2003b\u2028c\u2029d", "\u200bx\u200b", "a\u0085b", "x\u180ey"]
    result += ["e\u0301", "e\u0301\u0323x", "\u1100\u1161\u11a8", "\u0958", "A\u030a\u212b", "x\u0301\u0301\u0301 y", "\u0301",
               "a\u0315\u0300\u05ae\u0300b", "\u1ea5\u0323c", "\u0344z", "nai\u0308ve naïve", "क्षि", "ก็"]
    result += ["<|endoftext|>", "a<|endoftext|>b", " <|endoftext|> ", "<|end|>", "<|end|>of", "<|end|>o", "<|end", "<|<|end|>|>",
               "<|end|><|end|>", "a <left> b <left>c", "<right>  \n d", "word", "words word, sword word", "wordword", "_word word_",
               "x <both>  y", " <both> <both> ", "<think>x</think>", "   <left>   <right>   ", "é word\u0301 word"]
    result += ["<s>", "<s>a", " <s> a </s> ", "a<s>b", "<0x41>", "<unk> <pad>", "▁a", "▁▁", "a▁b ▁", "<user>hi", "x<user>\n"]
    result += ["👍", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "❤️", "x👍y", " 👍", "🧪" * 5, "\U0001F1E6", "\u263a\ufe0f!"]
    result += ["!!!", "a!!!b", "?!\n\nx", "...\r\n", "$+<=>^~|", "a+b=c", "f(x)={1}", "https://a.b/c?d=e&f=1#g", "C:\\x\\y", "--- a/b"]
    result += ["\u4e00" * 9, "a" * 40, "ab" * 30, " " * 40, "=" * 40, "\u0301" * 12, "0" * 20, "\x04\x06\x13x\x14\x1dy", "\u0100\u0143ĠĊ"]
    result += ["HTTPServer", "iPhone XL", "中A!", "AAA中BBb", "ǅA\u0301b", "ʰA", "x/\n/y", "a.\n\nb", "!\u0301a", "\u0301\u0301 b", "é'S 'T", "A'll中'D"]
    result += ["Ａ\u0301Ｂ", "ｶﾞ", "①②", "ﬃ", "\u00ad", "™x", "\x1e™", "\u3000 \u3000", "a \u3000b  ", "ſt", "\u2126", "㌔"]
    return result


def unassigned_free(low, high, rng):
    while True:
        character = chr(rng.randint(low, high))
        if unicodedata.category(character) not in ("Cs", "Cn"):
            return character


def random_texts(rng):
    """Texts that nobody thought of."""
    result = []
    for text in LANGUAGES:  # pieces of sentences, with their spaces
        for _ in range(16):
            start = rng.randrange(len(text))
            result.append(text[start:start + rng.randint(1, 30)])
    for _ in range(700):
        result.append("".join(rng.choice(PIECES) for _ in range(rng.randint(2, 9))))
    for low, high in [(0, 0x7F), (0x80, 0x2FF), (0x300, 0x36F), (0x370, 0x7FF), (0x800, 0x1FFF), (0x2000, 0x2BFF),
                      (0x3000, 0x33FF), (0xA000, 0xABFF), (0xF900, 0xFFFF), (0x10000, 0x1FFFF), (0, 0x1FFFF)]:
        for _ in range(45):
            result.append("".join(unassigned_free(low, high, rng) for _ in range(rng.randint(1, 12))))
    lines = CODE.split("\n") + ["for(int i=0;i<10;++i){ x[i]+=0x1F; }", "\tif (a && b) return \"é\";", "SELECT * FROM t WHERE id=42;"]
    for _ in range(120):
        result.append(rng.choice(["", "  ", "\t", "    "]) + rng.choice(lines)[rng.randrange(4):] + rng.choice(["\n", "", "\r\n", " "]))
    for _ in range(150):  # runs
        unit = rng.choice([" ", "\n", "\t", "a", "A", "1", "中", "!", "\u0301", "\r\n", "👍", "ab", "▁", "é", "\u00a0", "-", "=", "_"])
        result.append(rng.choice(["", "x", " "]) + unit * rng.randint(2, 60) + rng.choice(["", "y", " z"]))
    for _ in range(150):  # words and numbers
        result.append(" ".join(rng.choice(licence().split()) if rng.random() < 0.7 else str(rng.randrange(10 ** rng.randint(1, 12)))
                               for _ in range(rng.randint(2, 12))))
    for _ in range(100):  # cut and damaged UTF-8, repaired
        data = bytearray(rng.choice(LANGUAGES + [EMOJI, MIXED]).encode())
        for _ in range(rng.randint(1, 5)):
            data[rng.randrange(len(data))] = rng.choice([0x00, 0x80, 0xC3, 0xE0, 0xF0, 0xFF, 0x41])
        start = rng.randrange(len(data))
        result.append(bytes(data[start:start + 40]).decode("utf-8", errors="replace"))
    return result


def texts():
    return chosen() + random_texts(random.Random(3))
