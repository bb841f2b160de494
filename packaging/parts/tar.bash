# shellcheck shell=bash
# The tar archive. Sourced by packaging/build.

make_tar() { archive "$tree" "$name" | gzip -n -9 >"$out/$name.tar.gz"; }
