# shellcheck shell=bash
# The OCI image, as an archive of an OCI layout that `docker load` accepts as well, once whole and once without the worker for
# scripts and the embedding model. No daemon is involved. Sourced by packaging/build.
#
# Layers: base       C library, bash, and BusyBox for the other programs
#         runtime    the Java runtime
#         app        the application, whose search is by words only
#         model      the jar of the search with its embedding model, which replaces the one of the layer app
#         scripts    the worker for scripts
#         caches     the AOT caches, made by a start in the image; each image has its own

# busybox-static needs no library; the C library is for bash and the runtime.
readonly image_packages='libc6 libtinfo6 bash busybox-static'
readonly image_user=65532
# What Fusebox and servers expect of a system, from BusyBox. Fusebox looks for some in /usr/bin only.
readonly image_programs='sh cat chmod cp cut date dirname env false find grep head id kill ln ls mkdir mv nc nproc ps readlink rm rmdir
    sed setpriv setsid sha256sum sleep sort stat tail taskset test timeout touch tr true uname wc wget xargs'

make_image() {
    local layers=$work/layers
    layout=$work/layout
    mkdir -p "$layers" "$layout/blobs/sha256"
    make_base_layer "$layers/base"
    make_tree_layers "$layers"
    local layer
    for layer in base runtime app model scripts; do
        normalize_layer "$layers/$layer"
        pack_layer "$layer" "$layers/$layer"
    done
    write_image '' base runtime app model scripts
    write_image -slim base runtime app
}

make_base_layer() {
    local folder=$1 package program
    mkdir -p "$folder/usr/bin" "$folder/usr/lib" "$folder/usr/lib64" "$folder/usr/sbin" "$folder/etc" "$folder/proc" "$folder/sys" \
        "$folder/dev" "$folder/tmp" "$folder/opt" "$folder/var/lib/fusebox"
    ln -s usr/bin "$folder/bin"
    ln -s usr/sbin "$folder/sbin"
    ln -s usr/lib "$folder/lib"
    ln -s usr/lib64 "$folder/lib64"
    if [[ -z $debs ]]; then
        debs=$work/debs
        mkdir "$debs"
        # shellcheck disable=SC2086
        (cd "$debs" && apt-get download -q $(for package in $image_packages; do printf '%s:%s ' "$package" $debian; done)) >&2
    fi
    # Unpacked one by one into a folder of their own, because they may contain /bin as a folder.
    for package in $image_packages; do
        rm -rf "$work/unpacked"
        dpkg-deb -x "$debs/$package"_*.deb "$work/unpacked"
        (cd "$work/unpacked" && tar -c --exclude=./usr/share/locale --exclude=./usr/share/man --exclude=./usr/share/info \
            --exclude=./usr/share/lintian --exclude=./usr/share/menu --exclude=./usr/lib/*/gconv --exclude=./usr/lib/*/audit \
            --exclude=./etc/skel .) | tar -x --keep-directory-symlink -C "$folder"
    done
    [[ -e $folder/usr/bin/bash && -e $folder/usr/bin/busybox ]] || fail "the Debian packages have no bash or no BusyBox in /bin."
    for program in $image_programs; do
        ln -sf busybox "$folder/usr/bin/$program"
    done
    printf 'root:x:0:0:root:/root:/bin/sh\nfusebox:x:%s:%s:Fusebox:/var/lib/fusebox:/bin/sh\n' $image_user $image_user >"$folder/etc/passwd"
    printf 'root:x:0:\nfusebox:x:%s:\n' $image_user >"$folder/etc/group"
    printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$folder/etc/nsswitch.conf"
}

make_tree_layers() {
    local folder=$1 key=${app##*/} place=opt/fusebox jar
    mkdir -p "$folder/runtime/$place" "$folder/app/$place" "$folder/model/$place/app/$key/lib" "$folder/scripts/$place/app/$key"
    cp -R "$tree/runtime" "$folder/runtime/$place"
    cp -R "$tree/bin" "$tree/launcher" "$tree/app" "$tree/LICENSE" "$tree/NOTICE" "$folder/app/$place"
    cp "$root/packaging/health" "$folder/app/$place/bin"
    describe_image >"$folder/app/$place/sbom.cdx.json"
    cp "$folder/app/$place/sbom.cdx.json" "$out/$name-image.cdx.json"
    mv "$folder/app/$place/app/$key/worker" "$folder/scripts/$place/app/$key"
    jar=$(cd "$tree/app/$key/lib" && printf '%s' fusebox-search-*.jar)
    mv "$folder/app/$place/app/$key/lib/$jar" "$folder/model/$place/app/$key/lib"
    make_slim_jar "$folder/model/$place/app/$key/lib/$jar" "$folder/app/$place/app/$key/lib/$jar"
}

# Writes the jar $1 without the files of the models to $2.
make_slim_jar() {
    local folder=$work/jar
    mkdir "$folder"
    (cd "$folder" && "$jdk/bin/jar" -x -f "$1")
    rm -f "$folder"/dev/fusebox/search/model/*.{bin,onnx,json}
    (cd "$folder" && find . -type f ! -path ./META-INF/MANIFEST.MF -printf '%P\n' | sort >"$work/names")
    (cd "$folder" && "$jdk/bin/jar" -c -f "$2" -m META-INF/MANIFEST.MF \
        --date="$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)" "@$work/names")
}

# The bill of materials of the packages, with the Debian packages.
describe_image() {
    local package file
    for package in $image_packages; do
        for file in "$debs/$package"_*.deb; do
            jq -n --arg name "$package" --arg version "$(dpkg-deb -f "$file" Version)" --arg machine "$debian" \
                --arg hash "$(sha256sum <"$file" | cut -d ' ' -f 1)" '
                ("pkg:deb/debian/\($name)@\($version | @uri)?arch=\($machine)") as $ref
                | { type: "library", "bom-ref": $ref, name: $name, version: $version, purl: $ref,
                    hashes: [{ alg: "SHA-256", content: $hash }],
                    properties: [{ name: "fusebox:licenses", value: "usr/share/doc/\($name)/copyright" }] }'
        done
    done | jq -s --slurpfile bill "$tree/sbom.cdx.json" '
        . as $debs | $bill[0] | .components += $debs | .dependencies[0].dependsOn += [$debs[]."bom-ref"]'
}

normalize_layer() {
    normalize "$1"
    [[ ! -d $1/tmp ]] || chmod 1777 "$1/tmp"
    [[ ! -d $1/var/lib/fusebox ]] || chmod 700 "$1/var/lib/fusebox"
}

# Adds the folder $2 to the layout as the layer $1. The owner of the home is the user of the image.
pack_layer() {
    local file=$work/layer.tar
    archive "$2" . >"$file" --exclude=./var/lib/fusebox
    if [[ -d $2/var/lib/fusebox ]]; then
        tar --append --file="$file" --directory="$2" --mtime="@$epoch" --owner=$image_user --group=$image_user --numeric-owner \
            --format=gnu ./var/lib/fusebox
    fi
    printf 'sha256:%s' "$(sha256sum <"$file" | cut -d ' ' -f 1)" >"$work/$1.diff"
    gzip -n -9 <"$file" >"$work/layer.gz"
    add_blob "$work/layer.gz" application/vnd.oci.image.layer.v1.tar+gzip >"$work/$1.layer"
    rm "$file"
    say "layer $1: $(jq .size "$work/$1.layer") bytes packed"
}

# Moves a file into the layout, and prints its descriptor with the media type $2.
add_blob() {
    local digest
    digest=$(sha256sum <"$1" | cut -d ' ' -f 1)
    jq -cn --arg type "$2" --arg digest "sha256:$digest" --argjson size "$(stat -c %s "$1")" \
        '{ mediaType: $type, digest: $digest, size: $size }'
    mv "$1" "$layout/blobs/sha256/$digest"
}

# Writes the image of the given layers, with $1 behind its name.
write_image() {
    local suffix=$1 layer used
    shift
    if make_caches "$@"; then
        pack_layer "caches$suffix" "$work/caches"
        set -- "$@" "caches$suffix"
    else
        say "no AOT caches in the image$suffix: they can be made on a machine like the target only, with the right to create namespaces."
    fi
    write_config "$suffix" "$@" >"$work/config"
    add_blob "$work/config" application/vnd.oci.image.config.v1+json >"$work/config.descriptor"
    for layer in "$@"; do cat "$work/$layer.layer"; done | jq -cs --slurpfile config "$work/config.descriptor" '
        { schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", config: $config[0], layers: . }' >"$work/manifest"
    used=$(jq -r '(.config, .layers[]).digest | ltrimstr("sha256:")' "$work/manifest")
    add_blob "$work/manifest" application/vnd.oci.image.manifest.v1+json >"$work/manifest.descriptor"
    write_layout "$suffix" "$used"
}

# The caches of a start in the image, in the folder `caches`.
make_caches() {
    local rootfs=$work/rootfs layer key=${app##*/}
    rm -rf "$rootfs" "$work/caches"
    mkdir -p "$rootfs" "$work/caches/opt/fusebox/app/$key"
    [[ $machine == "$(uname -m)" ]] || return 1
    for layer in "$@"; do
        cp -a "$work/layers/$layer/." "$rootfs"
    done
    "$root/packaging/in-root" "$rootfs" /opt/fusebox/bin/fusebox prepare >&2 || return 1
    mv "$rootfs/opt/fusebox/app/$key"/aot* "$work/caches/opt/fusebox/app/$key"
    normalize "$work/caches"
}

# Docker reads Healthcheck, which the specification of OCI does not have.
write_config() {
    local suffix=$1 layer
    shift
    for layer in "$@"; do jq -cn --arg diff "$(cat "$work/$layer.diff")" --arg layer "${layer%-slim}" '{ diff: $diff, layer: $layer }'; done |
        jq -cs --arg version "$version$suffix" --arg machine "$oci" --arg user $image_user --arg time "$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)" '{
            created: $time, architecture: $machine, os: "linux",
            config: {
                User: "\($user):\($user)", WorkingDir: "/var/lib/fusebox", Entrypoint: ["/opt/fusebox/bin/fusebox"], Cmd: ["serve", "--share", "off"],
                Env: ["PATH=/opt/fusebox/bin:/usr/local/bin:/usr/bin", "HOME=/var/lib/fusebox", "FUSEBOX_HOME=/var/lib/fusebox", "LC_ALL=C.UTF-8"],
                Volumes: { "/var/lib/fusebox": {} }, StopSignal: "SIGTERM",
                Healthcheck: { Test: ["CMD", "/opt/fusebox/bin/health"],
                    Interval: 30000000000, Timeout: 10000000000, StartPeriod: 10000000000, Retries: 3 },
                Labels: { "org.opencontainers.image.title": "fusebox", "org.opencontainers.image.version": $version,
                    "org.opencontainers.image.licenses": "Apache-2.0", "dev.fusebox.health": "/opt/fusebox/bin/health" }
            },
            rootfs: { type: "layers", diff_ids: [.[].diff] },
            history: [.[] | { created: $time, created_by: "packaging/build", comment: .layer }]
        }'
}

# Writes the archive of the blobs $2, with an index for OCI and a manifest for older versions of Docker.
write_layout() {
    local folder=$work/archive blob
    rm -rf "$folder"
    mkdir -p "$folder/blobs/sha256"
    printf '{"imageLayoutVersion":"1.0.0"}' >"$folder/oci-layout"
    jq -c --arg tag "$version$1" --arg machine "$oci" '{ schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json",
        manifests: [. + { platform: { architecture: $machine, os: "linux" },
            annotations: { "org.opencontainers.image.ref.name": $tag, "io.containerd.image.name": "fusebox:\($tag)" } }] }' \
        "$work/manifest.descriptor" >"$folder/index.json"
    for blob in $2 "$(jq -r '.digest | ltrimstr("sha256:")' "$work/manifest.descriptor")"; do
        ln "$layout/blobs/sha256/$blob" "$folder/blobs/sha256/$blob"
    done
    jq -c --arg tag "fusebox:$version$1" '[{ Config: (.config.digest | sub(":"; "/") | "blobs/\(.)"), RepoTags: [$tag],
        Layers: [.layers[].digest | sub(":"; "/") | "blobs/\(.)"] }]' \
        "$layout/blobs/sha256/$(jq -r '.digest | ltrimstr("sha256:")' "$work/manifest.descriptor")" >"$folder/manifest.json"
    normalize "$folder"
    archive "$folder" . >"$out/$name$1.oci.tar"
    say "image$1: $(for blob in $2; do stat -c %s "$layout/blobs/sha256/$blob"; done | awk '{ sum += $1 } END { print sum }') bytes packed"
}
