package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The bill of materials of the built application: a CycloneDX file, a list of third-party components with their
/// licenses, and a notice. The same jars give the same bytes. The launcher runs it as a separate program; for one
/// thread.
final class BillOfMaterials {
    private static final String GROUP = "dev.fusebox";
    private static final String LICENSE = "Apache-2.0";
    private static final String RULE = "\n" + "-".repeat(80) + "\n";

    private final Path root;
    private final JsonView table;
    private final List<BundledJar> jars;

    private BillOfMaterials(Path root, JsonView table, List<BundledJar> jars) {
        this.root = root;
        this.table = table;
        this.jars = jars;
    }

    /// Writes the bill of materials, licenses and notices of a built application.
    ///
    /// @param arguments the root of the checkout, and the folder of the application, in which `legal` is created
    public static void main(String[] arguments) throws IOException {
        try {
            Path root = Path.of(arguments[0]);
            Path application = Path.of(arguments[1]);
            BillOfMaterials bill = of(root, application);
            Path legal = Files.createDirectories(application.resolve("legal"));
            Files.writeString(legal.resolve("sbom.cdx.json"), bill.cycloneDx());
            Files.writeString(legal.resolve("THIRD-PARTY.txt"), bill.thirdParty());
            Files.writeString(legal.resolve("NOTICE"), bill.notice());
        } catch (UnknownLicense unknown) {
            System.err.println("fusebox: " + unknown.getMessage());
            System.exit(1);
        }
    }

    /// A component without a known license.
    static final class UnknownLicense extends IOException {
        private static final long serialVersionUID = 1;

        UnknownLicense(String message) {
            super(message);
        }
    }

    static BillOfMaterials of(Path root, Path application) throws IOException {
        List<BundledJar> jars = new ArrayList<>();
        for (String folder : List.of("lib", "worker")) {
            Path place = application.resolve(folder);
            try (Stream<Path> files = Files.exists(place) ? Files.list(place) : Stream.empty()) {
                files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .map(BundledJar::of)
                        .forEach(jars::add);
            }
        }
        Path table = root.resolve("third-party/components.json");
        try {
            return new BillOfMaterials(root, JsonView.parse(Files.readAllBytes(table)), jars);
        } catch (JsonSyntaxError fault) {
            throw new IOException(table + " is not JSON: " + fault.getMessage(), fault);
        }
    }

    // ---- The table of licenses

    private List<JsonView> entries(String list) {
        return Objects.requireNonNull(table.member(list), list).elements();
    }

    private static String text(JsonView entry, String member) {
        return Objects.requireNonNull(entry.string(member), () -> member + " is missing in " + entry.json());
    }

    private JsonView entry(BundledJar jar) throws UnknownLicense {
        return entries("jars").stream()
                .filter(each -> jar.name().equals(each.string("name")))
                .findFirst()
                .orElseThrow(() -> new UnknownLicense("unknown license of " + jar.place()
                        + "; look it up in its POM and add it to third-party/components.json"));
    }

    private List<JsonView> embeddedIn(BundledJar jar) {
        return entries("embedded").stream()
                .filter(each -> jar.name().equals(each.string("jar")))
                .toList();
    }

    private List<BundledJar> foreign() {
        return jars.stream().filter(jar -> !jar.isOwn()).toList();
    }

    // ---- CycloneDX

    private record Part(String type, String group, String name, String version) {
        String purl() {
            return "pkg:maven/" + group + "/" + name + "@" + version;
        }

        JsonWriter begin(JsonWriter json) {
            json.beginObject().name("type").string(type).name("bom-ref").string(purl());
            json.name("group").string(group).name("name").string(name);
            return json.name("version").string(version).name("purl").string(purl());
        }
    }

    /// One component a line.
    String cycloneDx() throws IOException {
        Part whole = new Part("application", GROUP, "fusebox", VersionCommand.ofFusebox());
        JsonWriter metadata = new JsonWriter().beginObject().name("component");
        licensed(whole.begin(metadata), LICENSE).endObject().endObject();
        List<String> components = new ArrayList<>();
        Set<String> refs = new LinkedHashSet<>();
        for (BundledJar jar : jars) {
            String group = jar.isOwn() ? GROUP : text(entry(jar), "group");
            Part part = new Part("library", group, jar.name(), jar.version());
            // Gateway and worker share some of the project's own jars.
            if (refs.add(part.purl())) {
                components.add(component(part, jar));
            }
        }
        JsonWriter all = new JsonWriter().beginArray();
        refs.forEach(all::string);
        return "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\",\"version\":1,\n\"metadata\":" + metadata
                + ",\n\"components\":[\n" + String.join(",\n", components) + "],\n\"dependencies\":[{\"ref\":"
                + JsonWriter.quoted(whole.purl()) + ",\"dependsOn\":" + all.endArray() + "}]}\n";
    }

    private String component(Part part, BundledJar jar) throws IOException {
        JsonWriter json = part.begin(new JsonWriter());
        hashed(json, jar.sha256());
        licensed(json, jar.isOwn() ? LICENSE : text(entry(jar), "license"));
        json.name("properties").beginArray();
        for (BundledJar same : jars) {
            if (same.name().equals(jar.name())) {
                json.beginObject()
                        .name("name")
                        .string("fusebox:path")
                        .name("value")
                        .string(same.place())
                        .endObject();
            }
        }
        json.endArray();
        List<JsonView> embedded = embeddedIn(jar);
        if (!embedded.isEmpty()) {
            json.name("components").beginArray();
            for (JsonView each : embedded) {
                Part inner =
                        new Part(text(each, "type"), text(each, "group"), text(each, "name"), text(each, "version"));
                licensed(hashed(inner.begin(json), jar.sha256(text(each, "entry"))), text(each, "license"));
                json.name("description").string(text(each, "is")).endObject();
            }
            json.endArray();
        }
        return json.endObject().toString();
    }

    private static JsonWriter hashed(JsonWriter json, String sha256) {
        json.name("hashes").beginArray().beginObject().name("alg").string("SHA-256");
        return json.name("content").string(sha256).endObject().endArray();
    }

    private static JsonWriter licensed(JsonWriter json, String expression) {
        json.name("licenses").beginArray().beginObject().name("expression").string(expression);
        return json.endObject().endArray();
    }

    // ---- For people

    String thirdParty() throws IOException {
        StringBuilder text = new StringBuilder("Third-party components of Fusebox " + VersionCommand.ofFusebox()
                + ", with their licenses as SPDX expressions.\n"
                + "The license texts follow, with the names of the components that contain them.\n\n");
        Set<String> licenses = new TreeSet<>();
        for (BundledJar jar : foreign()) {
            String license = text(entry(jar), "license");
            licenses.addAll(List.of(license.split(" AND ")));
            text.append(line(text(entry(jar), "group") + ":" + jar.name(), jar.version(), license, jar.place()));
        }
        for (JsonView each : entries("embedded")) {
            String license = text(each, "license");
            licenses.addAll(List.of(license.split(" AND ")));
            String name = text(each, "group") + ":" + text(each, "name");
            text.append(line(name, text(each, "version"), license, text(each, "is") + ", in " + text(each, "jar")));
        }
        JsonView texts = Objects.requireNonNull(table.member("texts"));
        for (String license : licenses) {
            String file = texts.string(license);
            if (file != null) {
                text.append(RULE).append(license).append(RULE).append(Files.readString(root.resolve(file), UTF_8));
            }
        }
        return text.append(sections("LICEN")).toString();
    }

    private static String line(String name, String version, String license, String place) {
        return name + " " + version + "\n    " + license + "\n    " + place + "\n";
    }

    String notice() throws IOException {
        StringBuilder text = new StringBuilder("Fusebox\n\nLicensed under the Apache License, Version 2.0.\n\n"
                + "This application bundles third-party software under its own licenses."
                + " THIRD-PARTY.txt lists it with the\n"
                + "license texts; sbom.cdx.json lists all components with their checksums."
                + " The notices of the components follow.\n");
        return text.append(sections("NOTICE")).toString();
    }

    /// The texts of the files whose names contain a word, each under the names of its components.
    private StringBuilder sections(String kind) throws IOException {
        StringBuilder text = new StringBuilder();
        carried(kind)
                .forEach((words, names) -> text.append(RULE)
                        .append(String.join(", ", names))
                        .append(RULE)
                        .append(words)
                        .append('\n'));
        return text;
    }

    /// The texts in third-party jars from files whose names contain a word, each text once, with the names of its
    /// components.
    private Map<String, Set<String>> carried(String kind) throws IOException {
        Map<String, Set<String>> texts = new LinkedHashMap<>();
        String whole = Files.readString(root.resolve("LICENSE"), UTF_8).strip();
        for (BundledJar jar : foreign()) {
            jar.legalTexts().forEach((file, words) -> {
                if (file.toUpperCase(Locale.ROOT).contains(kind) && !words.equals(whole)) {
                    texts.computeIfAbsent(words, none -> new LinkedHashSet<>()).add(jar.name());
                }
            });
        }
        return texts;
    }
}
