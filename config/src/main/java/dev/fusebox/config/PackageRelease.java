package dev.fusebox.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An immutable release of a package: the same name and version always have the same content. Immutable.
///
/// @param version exact, or a digest
public record PackageRelease(Kind kind, String name, String version) {
    /// A longer one cannot be a package name.
    private static final int LONGEST = 400;

    /// The kind of registry, and the format of its names and versions. Names have no look-alike letters, and
    /// versions cannot be moved to another release.
    public enum Kind {
        /// An incomplete version of npm is a range.
        NPM(
                "(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*",
                "(?:0|[1-9][0-9]*)[.](?:0|[1-9][0-9]*)[.](?:0|[1-9][0-9]*)(?:-[0-9A-Za-z.-]+)?(?:[+][0-9A-Za-z.-]+)?"),
        PYPI(
                "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?",
                "[0-9]+(?:[.][0-9]+)+(?:(?:a|b|rc)[0-9]+)?(?:[.]post[0-9]+)?(?:[.]dev[0-9]+)?"),
        /// A tag may be moved, a digest cannot.
        OCI("[a-z0-9][a-z0-9._-]*(?:[:][0-9]+(?=/))?(?:/[a-z0-9._-]+)*(?:[:][A-Za-z0-9_.-]+)?", "sha256:[0-9a-f]{64}");

        private final Pattern name;
        private final Pattern version;

        Kind(String name, String version) {
            this.name = Pattern.compile(name);
            this.version = Pattern.compile(version);
        }

        /// The prefix of a name; npm has none.
        private String prefix() {
            return this == NPM ? "" : name().toLowerCase(Locale.ROOT) + ":";
        }
    }

    private static final Pattern PARTS = Pattern.compile("(?:(?<kind>pypi|oci):)?(?<name>.+)@(?<version>[^@]+)");

    /// Empty if this is not a package name, or not an immutable version.
    public static Optional<PackageRelease> of(Kind kind, String name, String version) {
        boolean isOne = name.length() + version.length() <= LONGEST
                && kind.name.matcher(name).matches()
                && kind.version.matcher(version).matches();
        return isOne ? Optional.of(new PackageRelease(kind, name, version)) : Optional.empty();
    }

    /// Of `name@1.2.3`, `pypi:name@1.2.3` or `oci:image@sha256:...`, as operators write it.
    public static Optional<PackageRelease> parse(String text) {
        Matcher parts = PARTS.matcher(text);
        if (text.length() > LONGEST || !parts.matches()) {
            return Optional.empty();
        }
        String named = parts.group("kind") == null ? "" : parts.group("kind") + ":";
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.prefix().equals(named))
                .findFirst()
                .flatMap(kind -> of(kind, parts.group("name"), parts.group("version")));
    }

    /// As operators write it.
    @Override
    public String toString() {
        return kind.prefix() + name + "@" + version;
    }
}
