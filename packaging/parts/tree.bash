# shellcheck shell=bash
# The files that all packages contain: launcher, runtime, application, licenses and bill of materials. Sourced by packaging/build.

# The JDK modules that the application and the worker for scripts require by their module descriptors, and java.sql, whose types
# the script engine names.
readonly modules=java.base,java.logging,java.management,java.net.http,java.sql,java.xml,jdk.management,jdk.net,jdk.unsupported

# Sets `tree`, a folder with the layout of docs/packages.md.
make_tree() {
    local key=${app##*/}
    tree=$work/tree
    mkdir -p "$tree/bin" "$tree/launcher" "$tree/app/$key"
    cp "$root/packaging/fusebox" "$tree/bin/fusebox"
    cp "$root/launcher/run.bash" "$tree/launcher/run.bash"
    cp "$root/LICENSE" "$root/NOTICE" "$tree"
    cp -R "$app/lib" "$app/worker" "$app/legal" "$tree/app/$key"
    make_runtime
    # What an AOT cache depends on besides the application.
    printf '%s %s\n' "$java_version" "$(sha256sum <"$tree/runtime/lib/modules" | cut -c 1-16)" >"$tree/app/$key/built"
    describe_tree
    normalize "$tree"
}

# Without compression the runtime loads classes faster, and packages are smaller, since they are compressed as a whole.
make_runtime() {
    "$jdk/bin/jlink" --module-path "${jmods:-$jdk/jmods}" --add-modules "$modules" --strip-debug --no-header-files \
        --no-man-pages --compress zip-0 --output "$work/runtime"
    # Without links, which npm packages cannot contain.
    cp -RL "$work/runtime" "$tree/runtime"
    rm -f "$tree/runtime/bin/keytool" "$tree/runtime/lib/jexec" "$tree/runtime/lib/classlist"
    # Debian's jmods contain them.
    find "$tree/runtime" -name '*.debuginfo' -delete
    if [[ -z $jmods ]]; then
        java_version=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$jdk/release")
        java_vendor=$(sed -n 's/^IMPLEMENTOR="\(.*\)"/\1/p' "$jdk/release")
    else
        java_version=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$tree/runtime/release")
        java_vendor=unknown
    fi
}

# The application's bill of materials, with the runtime.
describe_tree() {
    jq --arg version "$java_version" --arg vendor "$java_vendor" --arg hash "$(sha256sum <"$tree/runtime/lib/modules" | cut -d ' ' -f 1)" '
        ("pkg:generic/openjdk-runtime@" + ($version | @uri)) as $ref
        | .components += [{
            type: "platform", "bom-ref": $ref, supplier: { name: $vendor }, name: "openjdk-runtime", version: $version, purl: $ref,
            licenses: [{ expression: "GPL-2.0-only WITH Classpath-exception-2.0" }],
            properties: [{ name: "fusebox:path", value: "runtime" }, { name: "fusebox:modules-sha256", value: $hash }]
          }]
        | .dependencies[0].dependsOn += [$ref]' "$app/legal/sbom.cdx.json" >"$tree/sbom.cdx.json"
}
