#!/usr/bin/env bash
# make_documents.sh PROGRAM FOLDER: the manual's page of a program and its completions, which it prints itself.
set -euo pipefail
program="$1" folder="$2" name="$(basename "$1")"
mkdir -p "$folder"
"$program" completions bash >"$folder/$name"
"$program" completions zsh >"$folder/_$name"
"$program" completions fish >"$folder/$name.fish"
"$program" manual | gzip -9n >"$folder/$name.1.gz"
