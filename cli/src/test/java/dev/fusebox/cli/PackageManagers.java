package dev.fusebox.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Scripts in the place of `apt-get`, `dnf` and `brew` in a checkout's PATH, which note how they were called and
/// install what was put aside.
final class PackageManagers {
    /// Called with an `install` anywhere in its words, each puts the JDK and Maven into place.
    private static final String MANAGER = """
            #!/usr/bin/env bash
            set -eu
            here=${0%/*}/..
            name=${0##*/}
            case " $* " in
                *" update "*) [[ ! -e $here/archive ]] || cat "$here/archive" >"$here/lists" ;;
                *" repoquery "* | *" info "*)
                    while read -r package version; do
                        [[ $package != "${!#}" ]] || printf '%s\\n' "$version"
                    done <"$here/lists"
                    exit ;;
            esac
            printf '%s %s\\n' "$name" "$*" >>"$here/manager.calls"
            echo "output of $name"
            [[ " $* " == *" install "* ]] || exit 0
            [[ ! -e $here/install.fails ]] || exit 100
            [[ ! -e "$here/aside/jdk" || $* != *jdk* ]] || mv "$here/aside/jdk" "$here/java homes/installed"
            [[ ! -e $here/aside/mvn || $* != *maven* ]] || mv "$here/aside/mvn" "$here/tools/mvn"
            [[ $* != *' np'* && $* != *node* ]] || : >"$here/tools/npx"
            """;

    private static final String APT_CACHE = """
            #!/usr/bin/env bash
            here=${0%/*}/..
            while read -r package version; do
                [[ $package != "$2" ]] ||
                    printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n  Version table:\\n' "$package" "$version"
            done <"$here/lists"
            """;

    private static final String SUDO = """
            #!/usr/bin/env bash
            here=${0%/*}/..
            printf 'sudo %s\\n' "$*" >>"$here/manager.calls"
            [[ $1 != -n ]] || shift
            exec "$@"
            """;

    private final Checkout checkout;

    PackageManagers(Checkout checkout) {
        this.checkout = checkout;
    }

    /// Puts Maven and a JDK aside, so that they are missing until they are installed.
    PackageManagers onBareMachine() {
        Path aside = checkout.folder.resolve("aside");
        Disk.make(aside);
        move(checkout.jdk("25"), aside.resolve("jdk"));
        move(checkout.folder.resolve("tools/mvn"), aside.resolve("mvn"));
        return this;
    }

    private static void move(Path from, Path to) {
        if (!from.toFile().renameTo(to.toFile())) {
            throw new AssertionError("cannot move " + from);
        }
    }

    /// @param packages a name and a version each
    PackageManagers manager(String name, String... packages) {
        lists("lists", packages);
        checkout.program(name, MANAGER);
        if (name.equals("apt-get")) {
            checkout.program("apt-cache", APT_CACHE);
        }
        return this;
    }

    /// What the package lists name after an update.
    PackageManagers archive(String... packages) {
        lists("archive", packages);
        return this;
    }

    private void lists(String file, String... packages) {
        Disk.write(checkout.folder.resolve(file), String.join("\n", packages) + "\n", false);
    }

    PackageManagers failing() {
        Disk.write(checkout.folder.resolve("install.fails"), "", false);
        return this;
    }

    PackageManagers asOrdinaryUser() {
        checkout.program("id", "#!/bin/sh\necho 1000\n");
        return this;
    }

    PackageManagers withSudo() {
        checkout.program("sudo", SUDO);
        return this;
    }

    List<String> calls() {
        Path calls = checkout.folder.resolve("manager.calls");
        return Files.exists(calls) ? Disk.read(calls).lines().toList() : List.of();
    }
}
