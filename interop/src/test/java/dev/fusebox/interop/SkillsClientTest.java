package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The official client's support for skills before two servers with the same skills. It verifies each file that it
/// reads against the digest in the skill.
///
/// Over five seconds: it is two servers and a gateway for each client, and the first test of the module waits for npm.
@Tag("interop")
@Timeout(300)
class SkillsClientTest {
    @TempDir
    private Path folder = Path.of("");

    private static Served server(Era era) {
        ServerScript script = ServerScript.faultless().withEra(era).withExtensions();
        return new Served(ScriptedServer.stdio(script), Map.of());
    }

    private static JsonView member(JsonView seen, String... path) {
        return Objects.requireNonNull(seen.path(path), seen::json);
    }

    @ParameterizedTest
    @CsvSource({"legacy,LEGACY", "legacy,MODERN", "pinned,LEGACY", "pinned,MODERN"})
    void client_reads_and_verifies_the_skills_of_both_servers(String mode, Era era) {
        Map<String, Served> servers = new LinkedHashMap<>();
        servers.put("one", server(era));
        servers.put("two", server(era));
        try (Gateway gateway = Gateway.ofMany(Configuration.of(folder, servers))) {
            JsonView seen = Scripts.run("skills.mjs", gateway.http(), mode);

            assertThat(member(seen, "supported").json()).isEqualTo("true");
            assertThat(member(seen, "directoryRead").json()).isEqualTo("true");
            List<String> addresses = new ArrayList<>();
            member(seen, "skills").forEachMember((address, skill) -> {
                addresses.add(address);
                String root = address.replaceFirst("/SKILL\\.md$", "");
                assertThat(root).endsWith("/" + skill.string("name")).startsWith("skill://");
                assertThat(member(skill, "files").elements())
                        .hasSize(2)
                        .allSatisfy(file ->
                                assertThat(member(file, "verified").json()).isEqualTo("true"))
                        .extracting(file -> file.string("uri"))
                        .containsExactly(address, root + "/references/GUIDE.md");
                assertThat(member(skill, "children").elements())
                        .extracting(JsonView::string)
                        .containsExactly(address, root + "/references");
            });
            assertThat(addresses)
                    .as("the server that lists its skills first keeps their addresses")
                    .hasSize(4)
                    .contains("skill://git-workflow/SKILL.md", "skill://acme/billing/refunds/SKILL.md")
                    .anyMatch(address -> address.matches("skill://(one|two)/git-workflow/SKILL\\.md"))
                    .anyMatch(address -> address.matches("skill://(one|two)/acme/billing/refunds/SKILL\\.md"));
        }
    }
}
