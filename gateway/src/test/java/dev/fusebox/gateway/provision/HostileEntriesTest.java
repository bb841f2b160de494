package dev.fusebox.gateway.provision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.PackageRelease;
import dev.fusebox.config.ProvisionConfig;
import dev.fusebox.config.ProvisionConfig.Trust;
import dev.fusebox.protocol.JsonView;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Registry entries that try to start something other than what the operator trusts. All are requested with
/// everything enabled; none is started, and most are not even shown as a command.
class HostileEntriesTest {
    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    /// What the operator of these tests trusts.
    private static final Set<PackageRelease> TRUSTED = Stream.of(
                    "weather@1.2.3", "@corp/weather@1.2.3", "pypi:weather@1.2.3", "oci:ghcr.io/corp/weather@" + DIGEST)
            .map(text -> PackageRelease.parse(text).orElseThrow())
            .collect(Collectors.toSet());

    private static final ProvisionConfig ALL_ON = config(TRUSTED, true, Set.of());

    /// @param env names of variables that each of them may get
    private static ProvisionConfig config(Set<PackageRelease> trusted, boolean isAutomatic, Set<String> env) {
        List<Trust> lines = trusted.stream().map(each -> new Trust(each, env)).toList();
        return new ProvisionConfig("r.json", lines, isAutomatic);
    }

    /// The expected end of an entry.
    enum End {
        /// A person may add it.
        SHOWN,
        /// No command is shown.
        HIDDEN
    }

    /// @param program the unusual members of its only package
    record Case(String what, End end, String program) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Case shown(String what, String program) {
        return new Case(what, End.SHOWN, program);
    }

    private static Case hidden(String what, String program) {
        return new Case(what, End.HIDDEN, program);
    }

    private static String argument(String json) {
        return "\"packageArguments\":[" + json + "]";
    }

    private static String variable(String json) {
        return "\"environmentVariables\":[" + json + "]";
    }

    static Stream<Case> cases() {
        return Stream.of(versions(), names(), options(), places(), inputs()).flatMap(List::stream);
    }

    private static List<Case> versions() {
        return List.of(
                hidden("latest", "\"version\":\"latest\""),
                hidden("no version", "\"version\":\"\""),
                hidden("a caret range", "\"version\":\"^1.2.3\""),
                hidden("a tilde range", "\"version\":\"~1.2.3\""),
                hidden("a comparison", "\"version\":\">=1.2.3\""),
                hidden("a wildcard", "\"version\":\"1.2.x\""),
                hidden("half a version", "\"version\":\"1.2\""),
                hidden("two versions", "\"version\":\"1.2.3 || 9.9.9\""),
                hidden("an equals sign", "\"version\":\"=1.2.3\""),
                hidden("a v", "\"version\":\"v1.2.3\""),
                hidden("a space", "\"version\":\"1.2.3 \""),
                hidden("a line break", "\"version\":\"1.2.3\\n\""),
                hidden("an alias", "\"version\":\"npm:evil@1.2.3\""),
                hidden("an archive", "\"version\":\"https://evil.example/x.tgz\""),
                hidden("a file of its own", "\"version\":\"file:../evil\""),
                hidden("a workspace", "\"version\":\"workspace:*\""),
                hidden("a number", "\"version\":1.2"),
                hidden("a list of versions", "\"version\":[\"1.2.3\"]"),
                hidden("digits of another alphabet", "\"version\":\"1.2.\uff13\""),
                hidden("a zero in front", "\"version\":\"01.2.3\""),
                hidden("an end of text", "\"version\":\"1.2.3\\u0000\""),
                shown("a version before the trusted one", "\"version\":\"1.2.3-beta.1\""),
                shown("a build of it", "\"version\":\"1.2.3+evil\""),
                shown("a later version", "\"version\":\"1.2.4\""));
    }

    private static List<Case> names() {
        return List.of(
                hidden("a letter of another alphabet", "\"identifier\":\"we\u0430ther\""),
                hidden("an unseen character", "\"identifier\":\"wea\u200bther\""),
                hidden("capitals", "\"identifier\":\"Weather\""),
                hidden("a path", "\"identifier\":\"../weather\""),
                hidden("an absolute path", "\"identifier\":\"/tmp/weather\""),
                hidden("a file", "\"identifier\":\"file:weather\""),
                hidden("a repository", "\"identifier\":\"git+ssh://evil.example/weather\""),
                hidden("an address", "\"identifier\":\"https://evil.example/weather\""),
                hidden("an option", "\"identifier\":\"--registry=https://evil.example\""),
                hidden("an option of one letter", "\"identifier\":\"-y\""),
                hidden("a command", "\"identifier\":\"weather; rm -rf ~\""),
                hidden("a substitution", "\"identifier\":\"$(weather)\""),
                hidden("a variable", "\"identifier\":\"${HOME}\""),
                hidden("a repository of somebody", "\"identifier\":\"github:evil/weather\""),
                hidden("an archive in place of a name", "\"identifier\":\"./weather-1.2.3.tgz\""),
                hidden("a turned name", "\"identifier\":\"\u202eweather\""),
                hidden("wide letters", "\"identifier\":\"\uff57eather\""),
                hidden("a second line", "\"identifier\":\"weather\\n-p evil\""),
                hidden("two words", "\"identifier\":\"weather evil\""),
                hidden("an end of name", "\"identifier\":\"weather\\u0000evil\""),
                hidden("a scope above", "\"identifier\":\"@corp/../weather\""),
                hidden("a name of a million letters", "\"identifier\":\"" + "w".repeat(1_000_000) + "\""),
                hidden("a version in the name", "\"identifier\":\"weather@9.9.9\""),
                hidden("a very long name", "\"identifier\":\"" + "w".repeat(5_000) + "\""),
                shown("a scope that is left out", "\"identifier\":\"corp-weather\""),
                shown("another scope", "\"identifier\":\"@c0rp/weather\""));
    }

    private static List<Case> options() {
        return List.of(
                hidden("a shell as the runtime", "\"runtimeHint\":\"sh\""),
                hidden("a path as the runtime", "\"runtimeHint\":\"/tmp/npx\""),
                hidden(
                        "an option of the runtime",
                        "\"runtimeArguments\":[{\"type\":\"named\",\"name\":\"--registry\",\"value\":\"e.example\"}]"),
                hidden(
                        "an end of options for the runtime",
                        "\"runtimeArguments\":[{\"type\":\"positional\",\"value\":\"--\"}]"),
                hidden("a second line in an argument", argument("{\"type\":\"positional\",\"value\":\"a\\nb\"}")),
                hidden(
                        "too many arguments for a review",
                        argument(String.join(
                                ",",
                                Collections.nCopies(
                                        100, "{\"type\":\"positional\",\"value\":\"" + "x".repeat(900) + "\"}")))),
                hidden(
                        "another package for the runtime",
                        "\"runtimeArguments\":[{\"type\":\"positional\",\"value\":\"-p\"}]"),
                shown(
                        "an option of the program",
                        argument("{\"type\":\"named\",\"name\":\"--registry\",\"value\":\"e\"}")),
                shown("an option as a value", argument("{\"type\":\"positional\",\"value\":\"--eval\"}")),
                shown("a folder", argument("{\"type\":\"positional\",\"value\":\"/\"}")),
                shown(
                        "an option without a value",
                        argument("{\"type\":\"named\",\"name\":\"--all\",\"isRequired\":true}")),
                hidden("a name that is none", argument("{\"type\":\"named\",\"name\":\"--x y\",\"value\":\"z\"}")),
                hidden("what it finds here", argument("{\"type\":\"positional\",\"value\":\"${AWS_SECRET}\"}")),
                hidden("a gap to fill", argument("{\"type\":\"positional\",\"value\":\"{folder}\"}")),
                hidden("a turned argument", argument("{\"type\":\"positional\",\"value\":\"\u202egpj\"}")));
    }

    private static List<Case> places() {
        return List.of(
                hidden("another registry of packages", "\"registryBaseUrl\":\"https://npm.evil.example\""),
                hidden("one that begins alike", "\"registryBaseUrl\":\"https://registry.npmjs" + ".org.evil.example\""),
                hidden("an unknown kind of package", "\"registryType\":\"cargo\""),
                hidden("a bundle", "\"registryType\":\"mcpb\""),
                hidden("a tag of an image", "\"registryType\":\"oci\",\"identifier\":\"ghcr.io/corp/weather:1.2.3\""),
                hidden(
                        "half a digest",
                        "\"registryType\":\"oci\",\"identifier\":\"ghcr.io/x@sha256:0123\",\"version\":\"\""),
                shown("a digest that nobody checks", "\"fileSha256\":\"" + "0".repeat(64) + "\""),
                shown("a package of the same name elsewhere", "\"registryType\":\"pypi\",\"version\":\"1.2.4\""),
                hidden(
                        "a port instead of a pipe",
                        "\"transport\":{\"type\":\"streamable-http\",\"url\":\"http://h/\"}"),
                hidden("no way to talk to it", "\"transport\":{}"));
    }

    private static List<Case> inputs() {
        return List.of(
                hidden("options for Node", variable("{\"name\":\"NODE_OPTIONS\",\"value\":\"--require=/tmp/x.js\"}")),
                hidden("a library", variable("{\"name\":\"LD_PRELOAD\",\"value\":\"/tmp/x.so\"}")),
                hidden("another path", variable("{\"name\":\"PATH\",\"isRequired\":true}")),
                hidden(
                        "options for npm",
                        variable("{\"name\":\"npm_config_registry\",\"value\":\"https://e.example\"}")),
                hidden("install scripts", variable("{\"name\":\"NPM_CONFIG_IGNORE_SCRIPTS\",\"value\":\"false\"}")),
                hidden("a proxy", variable("{\"name\":\"https_proxy\",\"value\":\"http://e.example\"}")),
                hidden("two variables in one", variable("{\"name\":\"A=b C\",\"value\":\"d\"}")),
                hidden("a variable on two lines", variable("{\"name\":\"A\\nB\",\"isRequired\":true}")),
                hidden("a variable with an end", variable("{\"name\":\"A\\u0000B\",\"isRequired\":true}")),
                hidden("a variable without a name", variable("{\"isRequired\":true}")),
                hidden("a place for programs of npm", variable("{\"name\":\"PREFIX\",\"value\":\"/tmp\"}")),
                hidden("a folder of settings", variable("{\"name\":\"XDG_CONFIG_HOME\",\"value\":\"/tmp\"}")),
                hidden("compiled code", variable("{\"name\":\"NODE_COMPILE_CACHE\",\"value\":\"/tmp\"}")),
                hidden("a hook at the start", variable("{\"name\":\"DOTNET_STARTUP_HOOKS\",\"value\":\"/x\"}")),
                hidden("a program to open things", variable("{\"name\":\"BROWSER\",\"value\":\"/tmp/x\"}")),
                hidden("options for Perl", variable("{\"name\":\"PERL5OPT\",\"isRequired\":true}")),
                hidden("another library of Perl", variable("{\"name\":\"PERLLIB\",\"isRequired\":true}")),
                hidden("options for Ruby", variable("{\"name\":\"RUBYOPT\",\"isRequired\":true}")),
                hidden("an engine of OpenSSL", variable("{\"name\":\"OPENSSL_CONF\",\"isRequired\":true}")),
                hidden("a copy of all keys", variable("{\"name\":\"SSLKEYLOGFILE\",\"isRequired\":true}")),
                hidden("other certificates", variable("{\"name\":\"REQUESTS_CA_BUNDLE\",\"isRequired\":true}")),
                hidden("other classes", variable("{\"name\":\"CLASSPATH\",\"isRequired\":true}")),
                hidden("options for a shell", variable("{\"name\":\"SHELLOPTS\",\"isRequired\":true}")),
                hidden("another way to a repository", variable("{\"name\":\"GIT_SSH_COMMAND\",\"value\":\"x\"}")),
                hidden("another container host", variable("{\"name\":\"DOCKER_HOST\",\"value\":\"tcp://e.example\"}")),
                hidden("modules for Python", variable("{\"name\":\"PYTHONPATH\",\"isRequired\":true}")),
                shown(
                        "a variable with a value",
                        variable("{\"name\":\"API_URL\",\"value\":\"https://evil.example\"}")));
    }

    private static RegistryEntry entry(String program) {
        String usual = "\"registryType\":\"npm\",\"identifier\":\"weather\",\"version\":\"1.2.3\","
                + "\"transport\":{\"type\":\"stdio\"}";
        // Of duplicate members the first counts.
        String json = "{\"name\":\"io.github.corp/weather\",\"description\":\"Weather\",\"packages\":[{" + program
                + (program.isEmpty() ? "" : ",") + usual + "}]}";
        return RegistryEntryReader.entries(JsonView.of(json)).getFirst();
    }

    private static RegistryMatch match(RegistryEntry entry) {
        return RegistryMatch.of(new ProvisionSearch.EntryMatch(entry, 1), ALL_ON, true);
    }

    @Test
    void trusted_package_without_further_inputs_is_started() {
        assertThat(match(entry("")).isAutomatic()).isTrue();
        assertThat(match(entry("\"identifier\":\"@corp/weather\"")).isAutomatic())
                .isTrue();
        assertThat(match(entry("\"registryType\":\"pypi\"")).isAutomatic()).isTrue();
        assertThat(match(entry("\"registryType\":\"oci\",\"identifier\":\"ghcr.io/corp/weather@" + DIGEST + "\""))
                        .isAutomatic())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GITHUB_TOKEN",
                "GITLAB_TOKEN",
                "DOCKERHUB_TOKEN",
                "PIPEDRIVE_API_TOKEN",
                "LDAP_URL",
                "JAVASCRIPT_KEY",
                "UVICORN_PORT",
                "RUBYGEMS_KEY"
            })
    void variable_that_only_begins_like_a_decisive_one_is_harmless(String name) {
        ProvisionSearch.EntryMatch fit =
                new ProvisionSearch.EntryMatch(entry(variable("{\"name\":\"" + name + "\",\"isRequired\":true}")), 1);
        RegistryMatch match = RegistryMatch.of(fit, config(TRUSTED, true, Set.of(name)), true);
        assertThat(match.isAutomatic()).isTrue();
        assertThat(match.proposal().command()).contains(name + "=${" + name + "}");
    }

    @Test
    void package_listed_twice_counts_as_one_match() {
        RegistryMatch first = match(entry(""));
        RegistryMatch other = match(entry("\"identifier\":\"@corp/weather\""));
        assertThat(ProvisionTool.likely(List.of(first, match(entry(""))))).containsExactly(first);
        assertThat(ProvisionTool.likely(List.of(first, other, first))).containsExactly(first, other);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void hostile_entry_is_not_started(Case hostile) {
        RegistryMatch match = match(entry(hostile.program()));
        assertThat(match.isAutomatic()).isFalse();
        String command = match.proposal().command();
        assertThat(command == null ? End.HIDDEN : End.SHOWN).isEqualTo(hostile.end());
        assertThat(match.note()).isNotEmpty().doesNotContain("evil");
    }

    @Test
    void there_are_more_than_twenty_hostile_entries() {
        assertThat(cases()).hasSizeGreaterThan(40);
    }

    @Test
    void trust_in_one_package_type_does_not_extend_to_another() {
        Set<PackageRelease> ofNpm = Set.of(PackageRelease.parse("weather@1.2.3").orElseThrow());
        ProvisionSearch.EntryMatch fit = new ProvisionSearch.EntryMatch(entry("\"registryType\":\"pypi\""), 1);
        assertThat(RegistryMatch.of(fit, config(ofNpm, true, Set.of()), true).isTrusted())
                .isFalse();
    }

    @Test
    void variables_that_the_trusted_entry_does_not_name_are_not_passed() {
        String wants = variable("{\"name\":\"API_KEY\",\"isRequired\":true}");
        ProvisionSearch.EntryMatch fit = new ProvisionSearch.EntryMatch(entry(wants), 1);
        RegistryMatch none = RegistryMatch.of(fit, ALL_ON, true);
        assertThat(none.isTrusted()).isTrue();
        assertThat(none.isAutomatic()).isFalse();
        assertThat(none.note()).contains("provision.trusted", "(env): API_KEY");
        assertThat(RegistryMatch.of(fit, config(TRUSTED, true, Set.of("OTHER_KEY", "api_key")), true)
                        .isAutomatic())
                .isFalse();
        assertThat(RegistryMatch.of(fit, config(TRUSTED, true, Set.of("API_KEY")), true)
                        .isAutomatic())
                .isTrue();
    }

    @Test
    void untrusted_or_disabled_package_is_not_started() {
        ProvisionSearch.EntryMatch fit = new ProvisionSearch.EntryMatch(entry(""), 1);
        assertThat(RegistryMatch.of(fit, config(Set.of(), true, Set.of()), true).isAutomatic())
                .isFalse();
        assertThat(RegistryMatch.of(fit, config(TRUSTED, false, Set.of()), true).isAutomatic())
                .isFalse();
        assertThat(RegistryMatch.of(fit, ALL_ON, false).isAutomatic()).isFalse();
    }

    @Test
    void deprecated_entry_needs_a_review() {
        String json = "{\"server\":{\"name\":\"a/weather\",\"packages\":[{\"registryType\":\"npm\","
                + "\"identifier\":\"weather\",\"version\":\"1.2.3\",\"transport\":{\"type\":\"stdio\"}}]},"
                + "\"_meta\":{\"io.modelcontextprotocol.registry/official\":{\"status\":\"%s\"}}}";
        RegistryMatch old = match(RegistryEntryReader.entries(JsonView.of(json.formatted("deprecated")))
                .getFirst());
        assertThat(old.isAutomatic()).isFalse();
        assertThat(old.proposal().command()).isNotNull();
        assertThat(RegistryEntryReader.entries(JsonView.of(json.formatted("deleted"))))
                .isEmpty();
    }

    @Test
    void install_command_is_complete_and_safely_quoted() {
        String program = argument("{\"type\":\"named\",\"name\":\"--note\",\"value\":\"it's; rm -rf ~ `x` | y\"}") + ","
                + variable("{\"name\":\"KEY\",\"isRequired\":true}");
        String command = Objects.requireNonNull(match(entry(program)).proposal().command());
        assertThat(command)
                .isEqualTo("./fusebox add weather --env 'KEY=${KEY}' npx -y weather@1.2.3"
                        + " '--note=it'\\''s; rm -rf ~ `x` | y'");
    }

    @Test
    void remote_server_is_only_offered_as_a_command() {
        String json = "{\"name\":\"a/weather\",\"remotes\":[{\"type\":\"streamable-http\",\"url\":\"%s\","
                + "\"headers\":[{\"name\":\"X-Key\",\"isRequired\":true}]}]}";
        RegistryMatch good = match(RegistryEntryReader.entries(JsonView.of(json.formatted("https://w.example/mcp")))
                .getFirst());
        assertThat(good.isAutomatic()).isFalse();
        assertThat(good.proposal().command())
                .isEqualTo("./fusebox add weather --url https://w.example/mcp --type http"
                        + " --header 'X-Key=${WEATHER_HEADER_X_KEY}'");
        for (String bad : List.of(
                "http://w.example/",
                "http://169.254.169.254/latest/meta-data",
                "https://token@w.example/",
                "https://w.example@evil.example%00/",
                "https://w.example/#x",
                "https://w.ex\u0430mple/",
                "https://w.example/\u202e",
                "https://w.example/a b",
                "https:///mcp",
                "https:w.example",
                "git+ssh://w.example/",
                "file:///etc/passwd",
                "https://u:p@w.example/",
                "https://w/${A}",
                "https://w.example/" + "x".repeat(2_000))) {
            RegistryMatch match = match(RegistryEntryReader.entries(JsonView.of(json.formatted(bad)))
                    .getFirst());
            assertThat(match.proposal().command()).as(bad).isNull();
        }
    }

    @Test
    void server_name_is_safe_in_every_context() {
        for (String name : List.of(
                "a/--evil",
                "a/../../x",
                "a/$(x)",
                "a/",
                "/",
                "x y",
                "a/__proto__",
                "a/..",
                "a/\u202ex",
                "a/\\u0000",
                "a/" + "n".repeat(500))) {
            String json = "{\"name\":\"" + name + "\",\"packages\":[]}";
            String id = match(RegistryEntryReader.entries(JsonView.of(json)).getFirst())
                    .proposal()
                    .id();
            assertThat(id).matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,47}");
        }
    }

    @Test
    void entry_names_never_select_an_existing_variable() {
        String argument = argument("{\"type\":\"positional\",\"valueHint\":\"secret_access_key\",\"isRequired\":true}");
        String json = "{\"name\":\"a/aws\",\"packages\":[{\"registryType\":\"npm\",\"identifier\":\"weather\","
                + "\"version\":\"1.2.3\",\"transport\":{\"type\":\"stdio\"}," + argument + "}]}";
        LaunchConfig launchConfig = Objects.requireNonNull(
                match(RegistryEntryReader.entries(JsonView.of(json)).getFirst())
                        .proposal()
                        .launchConfig());
        assertThat(launchConfig.inputs()).containsExactly("AWS_ARGUMENT_SECRET_ACCESS_KEY");
        String elsewhere = "{\"name\":\"a/aws\",\"remotes\":[{\"type\":\"sse\",\"url\":\"https://e.example/\","
                + "\"headers\":[{\"name\":\"Secret-Access-Key\",\"isRequired\":true}]}]}";
        assertThat(match(RegistryEntryReader.entries(JsonView.of(elsewhere)).getFirst())
                        .proposal()
                        .command())
                .contains("${AWS_HEADER_SECRET_ACCESS_KEY}")
                .doesNotContain("${AWS_SECRET");
    }

    @Test
    void required_variables_belong_to_the_operator_and_contain_the_server_name() {
        String program = argument("{\"type\":\"positional\",\"valueHint\":\"path\",\"isRequired\":true},"
                        + "{\"type\":\"named\",\"name\":\"--quiet\"}")
                + "," + variable("{\"name\":\"API_KEY\",\"isRequired\":true},{\"name\":\"REGION\",\"default\":\"eu\"}");
        LaunchConfig launchConfig =
                Objects.requireNonNull(match(entry(program)).proposal().launchConfig());
        assertThat(launchConfig.args()).containsExactly("-y", "weather@1.2.3", "${WEATHER_ARGUMENT_PATH}");
        assertThat(launchConfig.inputs()).containsExactly("API_KEY", "WEATHER_ARGUMENT_PATH");
        assertThat(launchConfig.environment())
                .containsEntry("API_KEY", "${API_KEY}")
                .containsEntry("npm_config_ignore_scripts", "true")
                .hasSize(2);
    }
}
