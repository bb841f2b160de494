package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BillOfMaterialsTest {
    private static final Path ROOT = Checkout.launcher().resolveSibling("").normalize();

    @TempDir
    private Path application;

    @BeforeEach
    void bundle() throws IOException {
        jar("lib/fusebox-search-1.0.jar", "dev/fusebox/search/model/all-minilm-l6-v2-q.onnx", "weights");
        jar("lib/slf4j-api-2.0.17.jar", "META-INF/LICENSE.txt", "Copyright by those\r\nof slf4j");
        jar("lib/jackson-core-3.2.4.jar", "META-INF/NOTICE", "Jackson says so");
        jar("worker/icu4j-25.0.5.jar", "x", "y");
    }

    private void jar(String place, String entry, String text) throws IOException {
        Path file = application.resolve(place);
        Files.createDirectories(file.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(text.getBytes(UTF_8));
        }
    }

    private BillOfMaterials bill() throws IOException {
        return BillOfMaterials.of(ROOT, application);
    }

    @Test
    void every_jar_is_component_with_purl_checksum_and_licence() throws IOException {
        JsonView bom = JsonView.of(bill().cycloneDx());

        Map<String, JsonView> parts = new TreeMap<>();
        for (JsonView part : Objects.requireNonNull(bom.member("components")).elements()) {
            parts.put(Objects.requireNonNull(part.string("purl")), part);
        }
        assertThat(parts)
                .containsOnlyKeys(
                        "pkg:maven/dev.fusebox/fusebox-search@1.0",
                        "pkg:maven/org.slf4j/slf4j-api@2.0.17",
                        "pkg:maven/tools.jackson.core/jackson-core@3.2.4",
                        "pkg:maven/org.graalvm.shadowed/icu4j@25.0.5");
        assertThat(String.valueOf(parts.get("pkg:maven/org.graalvm.shadowed/icu4j@25.0.5")))
                .contains("\"expression\":\"Unicode-3.0\"", "\"value\":\"worker/icu4j-25.0.5.jar\"")
                .contains(BundledJar.of(application.resolve("worker/icu4j-25.0.5.jar"))
                        .sha256());
        assertThat(String.valueOf(parts.get("pkg:maven/dev.fusebox/fusebox-search@1.0")))
                .contains("machine-learning-model", "pkg:maven/dev.langchain4j/");
        assertThat(bom.json()).doesNotContain("timestamp", "serialNumber", application.toString());
    }

    @Test
    void third_party_text_lists_components_with_licences_and_texts() throws IOException {
        assertThat(bill().thirdParty())
                .contains("org.slf4j:slf4j-api 2.0.17\n    MIT\n    lib/slf4j-api-2.0.17.jar\n")
                .contains("Copyright by those\nof slf4j")
                .contains("UNICODE LICENSE V3", "Apache License", "all-MiniLM-L6-v2")
                .doesNotContain("fusebox-search 1.0");
        assertThat(bill().notice()).contains("Jackson says so").doesNotContain("of slf4j");
    }

    @Test
    void jar_with_unknown_licence_is_reported() throws IOException {
        jar("lib/stranger-1.0.jar", "x", "y");
        assertThatThrownBy(() -> bill().cycloneDx())
                .isInstanceOf(BillOfMaterials.UnknownLicense.class)
                .hasMessageContaining("lib/stranger-1.0.jar")
                .hasMessageContaining("third-party/components.json");
    }

    @Test
    void checksummed_jars_and_known_licences_match() throws IOException {
        List<String> checked = Disk.read(ROOT.resolve("third-party.sha256"))
                .lines()
                .map(line -> line.replaceFirst(".*/", "").replaceFirst("-\\d.*", ""))
                .toList();
        JsonView table = JsonView.of(Disk.read(ROOT.resolve("third-party/components.json")));
        assertThat(Objects.requireNonNull(table.member("jars")).elements().stream()
                        .map(jar -> jar.string("name")))
                .containsExactlyInAnyOrderElementsOf(checked);
        JsonView model =
                Objects.requireNonNull(table.member("embedded")).elements().getFirst();
        assertThat(Disk.read(ROOT.resolve("pom.xml")))
                .containsPattern("<minilm.version>" + Pattern.quote(String.valueOf(model.string("version"))) + "<");
    }
}
