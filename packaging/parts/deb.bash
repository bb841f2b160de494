# shellcheck shell=bash
# The Debian package: /usr/lib/fusebox, and /usr/bin/fusebox. Its AOT caches are made at installation. Sourced by packaging/build.

make_deb() {
    local folder=$work/deb size
    mkdir -p "$folder/DEBIAN" "$folder/usr/lib" "$folder/usr/bin" "$folder/usr/share/doc/fusebox"
    cp -R "$tree" "$folder/usr/lib/fusebox"
    ln -s ../lib/fusebox/bin/fusebox "$folder/usr/bin/fusebox"
    {
        printf 'Fusebox, licensed under the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0):\n\n'
        cat "$root/NOTICE"
        printf '\nThe licenses of its parts: /usr/lib/fusebox/app/%s/legal and /usr/lib/fusebox/runtime/legal\n' "${app##*/}"
    } >"$folder/usr/share/doc/fusebox/copyright"
    size=$(find "$folder/usr" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
    write_control "$size" >"$folder/DEBIAN/control"
    write_script 'if [ "$1" = configure ]; then /usr/lib/fusebox/bin/fusebox prepare || true; fi' >"$folder/DEBIAN/postinst"
    write_script "rm -rf /usr/lib/fusebox/app/*/aot* /usr/lib/fusebox/app/*/lock /usr/lib/fusebox/app/*/.training.*" \
        >"$folder/DEBIAN/prerm"
    chmod 755 "$folder/DEBIAN/postinst" "$folder/DEBIAN/prerm"
    (cd "$folder" && find usr -type f -print | sort | xargs -d '\n' md5sum) >"$folder/DEBIAN/md5sums"
    normalize "$folder"
    # One thread: what xz writes depends on their number, and gzip takes a fifth of its time.
    dpkg-deb --root-owner-group -Zgzip -z9 --build "$folder" "$out/fusebox_$(debian_version)_$debian.deb" >&2
}

# A version before a release sorts before it.
debian_version() { printf '%s' "${version/-/\~}"; }

write_control() {
    cat <<END
Package: fusebox
Version: $(debian_version)
Architecture: $debian
Maintainer: Fusebox <fusebox@fusebox.example>
Installed-Size: $1
Depends: bash, libc6 (>= 2.17)
Section: net
Priority: optional
Description: circuit-breaking gateway for MCP servers
 An agent connects to one gateway instead of twenty tool servers. Each server
 behind it has its own circuit breaker, its own supervised process or
 connection, a bounded queue and deadlines.
 .
 The package contains its Java runtime.
END
}

write_script() { printf '#!/bin/sh\nset -e\n%s\n' "$1"; }
