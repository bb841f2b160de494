package dev.fusebox.gateway.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.extension.ServerAddresses.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whose an address of an app or a skill is, and under which address clients see it.
class ServerAddressesTest {
    private static final List<String> NAMES = List.of("a", "b", "Other");

    private static ServerAddresses of(CatalogContents a, CatalogContents b) {
        return of(a, b, ServerAddresses.NONE);
    }

    private static ServerAddresses of(CatalogContents a, CatalogContents b, ServerAddresses before) {
        Map<String, CatalogContents> contents = new LinkedHashMap<>();
        contents.put("a", a);
        contents.put("b", b);
        return ServerAddresses.of(contents, NAMES, before);
    }

    /// The address of `a` that clients see, which leads back to it.
    private static String shownOfA(ServerAddresses addresses, String own) {
        String shown = addresses.shown("a", own);
        assertThat(addresses.target(shown)).isEqualTo(new Target("a", own));
        return shown;
    }

    // ---- Apps

    @Test
    void same_address_of_second_server_contains_its_name() {
        ServerAddresses addresses = of(Listings.tools("ui://app/main"), Listings.resources("ui://app/main"));

        assertThat(addresses.shown("a", "ui://app/main")).isEqualTo("ui://app/main");
        assertThat(addresses.shown("b", "ui://app/main")).isEqualTo("ui://b/app/main");
        assertThat(addresses.target("ui://app/main")).isEqualTo(new Target("a", "ui://app/main"));
        assertThat(addresses.target("ui://b/app/main")).isEqualTo(new Target("b", "ui://app/main"));
        assertThat(addresses.hasApps("a")).isTrue();
        assertThat(addresses.hasApps("b")).isTrue();
    }

    @Test
    void address_stays_with_its_server_when_an_earlier_one_lists_it() {
        ServerAddresses before = of(CatalogContents.NOTHING, Listings.tools("ui://app/main"));
        ServerAddresses addresses = of(Listings.tools("ui://app/main"), Listings.tools("ui://app/main"), before);

        assertThat(addresses.shown("b", "ui://app/main")).isEqualTo("ui://app/main");
        assertThat(addresses.shown("a", "ui://app/main")).isEqualTo("ui://a/app/main");
    }

    @Test
    void address_that_no_server_lists_leads_back_to_the_server_that_returned_it() {
        ServerAddresses addresses = of(Listings.tools("ui://app/main"), CatalogContents.NOTHING);

        assertThat(shownOfA(addresses, "ui://app/detail/7")).isEqualTo("ui://a/app/detail/7");
    }

    @Test
    void server_with_its_name_as_authority_keeps_its_addresses_apart_from_those_with_its_name() {
        ServerAddresses addresses = of(Listings.tools("ui://x"), Listings.tools("ui://b/x", "ui://x"));

        assertThat(addresses.shown("b", "ui://b/x")).isEqualTo("ui://b/x");
        assertThat(addresses.shown("b", "ui://x")).isEqualTo("ui://b/=/x");
        assertThat(addresses.target("ui://b/x")).isEqualTo(new Target("b", "ui://b/x"));
        assertThat(addresses.target("ui://b/=/x")).isEqualTo(new Target("b", "ui://x"));
        assertThat(addresses.target("ui://b/unlisted")).isEqualTo(new Target("b", "ui://b/unlisted"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ui://b/secret",
                "ui://B/secret",
                "ui://other/x",
                "ui://Other",
                "ui://b",
                "UI://b/secret",
                "ui://x/../b/secret",
                "ui://x/%2e%2E/b",
                "ui://x/..",
                "ui://x/./y",
                "ui://user@b/secret",
                "ui://b:80/secret",
                "ui://b%2fsecret",
                "ui:///b/secret",
                "ui:b/secret",
                "ui://x/a b",
                "ui://x/a\\..\\b",
                "ui://x/a\u0000b",
                "ui://x/\u00e4",
                "ui://x/\ud800"
            })
    void hostile_address_is_shown_under_the_name_of_its_server(String hostile) {
        ServerAddresses addresses = of(Listings.tools("ui://fine", hostile), Listings.tools("ui://b/secret"));

        assertThat(addresses.shown("a", hostile)).startsWith("ui://a/").doesNotContain("..", "@", " ", "\\");
        assertThat(addresses.target("ui://b/secret")).isEqualTo(new Target("b", "ui://b/secret"));
        Target target = addresses.target(hostile);
        assertThat(target == null || !target.server().equals("a")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ui://b/secret", "UI://b/secret", "ui://x/../b", "ui://x/a b", "ui://b:80/x"})
    void hostile_address_is_read_at_its_server(String hostile) {
        shownOfA(of(Listings.tools("ui://fine", hostile), Listings.tools("ui://b/secret")), hostile);
    }

    @Test
    void very_long_address_is_shown_with_a_prefix_and_read_from_its_server() {
        String longest = "ui://x/" + "a/".repeat(500_000);

        shownOfA(of(Listings.tools(longest), Listings.tools("ui://b/x")), longest);
    }

    @Test
    void resource_with_another_scheme_is_rendered_from_its_own_server() {
        ServerAddresses addresses = of(Listings.tools("ui://app"), Listings.tools("ui://b/x"));
        String rendered = addresses.rendered("a", "fusebox://b/ui%3A%2F%2Fb%2Fx");

        assertThat(rendered).startsWith("ui://a/==");
        assertThat(addresses.target(rendered)).isEqualTo(new Target("a", "fusebox://b/ui%3A%2F%2Fb%2Fx"));
    }

    @Test
    void wrongly_escaped_address_means_nothing() {
        ServerAddresses addresses = of(Listings.tools("ui://app"), CatalogContents.NOTHING);

        assertThat(addresses.target("ui://b/==%zz")).isEqualTo(new Target("b", "ui://b/==%zz"));
        assertThat(addresses.target("ui://unknown/x")).isNull();
        assertThat(addresses.target("no address")).isNull();
    }

    // ---- Skills

    @Test
    void all_files_of_a_skill_with_a_known_address_contain_the_name_of_its_server() {
        ServerAddresses addresses =
                of(Listings.skills("skill://refunds/SKILL.md"), Listings.skills("skill://refunds/SKILL.md"));

        assertThat(addresses.shown("a", "skill://refunds/examples/x.md")).isEqualTo("skill://refunds/examples/x.md");
        assertThat(addresses.shown("b", "skill://refunds/SKILL.md")).isEqualTo("skill://b/refunds/SKILL.md");
        assertThat(addresses.shown("b", "skill://refunds/new.md")).isEqualTo("skill://b/refunds/new.md");
        assertThat(addresses.shown("b", "skill://refunds")).isEqualTo("skill://b/refunds");
        assertThat(addresses.target("skill://b/refunds/new.md")).isEqualTo(new Target("b", "skill://refunds/new.md"));
        assertThat(addresses.target("skill://refunds/new.md")).isEqualTo(new Target("a", "skill://refunds/new.md"));
        assertThat(addresses.target("skill://refunds")).isEqualTo(new Target("a", "skill://refunds"));
    }

    @Test
    void skill_inside_the_skill_of_another_server_contains_the_name_of_its_server() {
        ServerAddresses inside =
                of(Listings.skills("skill://acme/SKILL.md"), Listings.skills("skill://acme/refunds/SKILL.md"));
        ServerAddresses around =
                of(Listings.skills("skill://acme/refunds/SKILL.md"), Listings.skills("skill://acme/SKILL.md"));

        assertThat(inside.shown("b", "skill://acme/refunds/SKILL.md")).isEqualTo("skill://b/acme/refunds/SKILL.md");
        assertThat(around.shown("b", "skill://acme/SKILL.md")).isEqualTo("skill://b/acme/SKILL.md");
        assertThat(around.shown("b", "skill://acme/refunds/SKILL.md")).isEqualTo("skill://b/acme/refunds/SKILL.md");
    }

    @Test
    void nested_skills_of_one_server_keep_their_addresses() {
        ServerAddresses addresses = of(
                Listings.skills("skill://acme/refunds/SKILL.md", "skill://acme/SKILL.md"),
                Listings.skills("skill://acme-b/SKILL.md"));

        assertThat(addresses.shown("a", "skill://acme/refunds/x.md")).isEqualTo("skill://acme/refunds/x.md");
        assertThat(addresses.shown("a", "skill://acme/x.md")).isEqualTo("skill://acme/x.md");
        assertThat(addresses.shown("b", "skill://acme-b/x.md")).isEqualTo("skill://acme-b/x.md");
    }

    @Test
    void listed_resource_of_another_server_keeps_a_skill_off_its_address() {
        ServerAddresses addresses =
                of(Listings.resources("skill://acme/x.md"), Listings.skills("skill://acme/SKILL.md"));

        assertThat(addresses.shown("b", "skill://acme/SKILL.md")).isEqualTo("skill://b/acme/SKILL.md");
        assertThat(addresses.target("skill://acme/x.md")).isEqualTo(new Target("a", "skill://acme/x.md"));
    }

    @Test
    void skill_with_another_scheme_keeps_it() {
        String skill = "github://owner/skills/refunds/SKILL.md";
        ServerAddresses addresses = of(Listings.skills(skill), Listings.skills(skill));

        assertThat(addresses.shown("b", skill)).isEqualTo("github://b/owner/skills/refunds/SKILL.md");
        assertThat(addresses.target("github://b/owner/skills/refunds/x.md"))
                .isEqualTo(new Target("b", "github://owner/skills/refunds/x.md"));
        assertThat(addresses.target("github://b/owner/other")).isNull();
        assertThat(addresses.shown("b", "github://owner/other")).isEqualTo("github://owner/other");
    }

    @Test
    void skill_under_the_name_of_another_server_is_not_that_of_the_other() {
        ServerAddresses addresses = of(
                Listings.together(
                        Listings.skills("skill://b/refunds/SKILL.md"), Listings.resources("skill://b/refunds/x.md")),
                Listings.skills("skill://refunds/SKILL.md"));

        assertThat(addresses.shown("a", "skill://b/refunds/SKILL.md")).isEqualTo("skill://a/b/refunds/SKILL.md");
        assertThat(addresses.target("skill://b/refunds/x.md")).isEqualTo(new Target("b", "skill://refunds/x.md"));
    }

    @Test
    void servers_without_apps_and_skills_have_no_addresses() {
        ServerAddresses addresses = of(Listings.resources("test://x"), Listings.resources("test://x"));

        assertThat(addresses.isEmpty()).isTrue();
        assertThat(addresses.shown("b", "ui://x")).isEqualTo("ui://x");
        assertThat(addresses.target("ui://b/x")).isNull();
    }
}
