package dev.fusebox.gateway.provision;

import dev.fusebox.config.PackageRelease;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program that installs and starts packages.
enum PackageInstaller {
    NPX("npm", PackageRelease.Kind.NPM, "npx", List.of("registry", "npmjs", "org")),
    UVX("pypi", PackageRelease.Kind.PYPI, "uvx", List.of("pypi", "org")),
    DOCKER("oci", PackageRelease.Kind.OCI, "docker", List.of("docker", "io"));

    private final String type;
    private final PackageRelease.Kind kind;
    private final String program;
    private final String place;

    PackageInstaller(String type, PackageRelease.Kind kind, String program, List<String> host) {
        this.type = type;
        this.kind = kind;
        this.program = program;
        this.place = "https://" + String.join(".", host);
    }

    /// Null if packages of this type are not supported.
    static @Nullable PackageInstaller of(String type) {
        return Stream.of(values())
                .filter(each -> each.type.equals(type))
                .findFirst()
                .orElse(null);
    }

    String program() {
        return program;
    }

    boolean isUsual(String address) {
        return address.isEmpty() || address.replaceFirst("/$", "").equals(place);
    }

    /// Whether it verifies the digest of a package.
    boolean checksDigests() {
        return this == DOCKER;
    }

    /// Null if the version is not an exact one.
    @Nullable
    PackageRelease release(String identifier, String version) {
        int at = identifier.lastIndexOf('@');
        boolean isImage = kind == PackageRelease.Kind.OCI && at > 0;
        return isImage
                ? PackageRelease.of(kind, identifier.substring(0, at), identifier.substring(at + 1))
                        .orElse(null)
                : PackageRelease.of(kind, identifier, version).orElse(null);
    }

    /// @param variables passed into a container
    /// @param arguments of the program itself: they follow its name, so that the package runner does not parse
    /// them
    List<String> command(PackageRelease release, List<String> variables, List<String> arguments) {
        String exact = release.name() + "@" + release.version();
        Stream<String> before = switch (this) {
            case NPX -> Stream.of("npx", "-y");
            case UVX -> Stream.of("uvx", "--no-build");
            case DOCKER ->
                Stream.concat(
                        Stream.of("docker", "run", "-i", "--rm"),
                        variables.stream().flatMap(name -> Stream.of("-e", name)));
        };
        return Stream.of(before, Stream.of(exact), arguments.stream())
                .flatMap(part -> part)
                .toList();
    }

    /// Variables that disable installation scripts of packages.
    Map<String, String> precautions() {
        return this == NPX ? Map.of("npm_config_ignore_scripts", "true") : Map.of();
    }
}
