package dev.fusebox.gateway.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.Card;
import dev.fusebox.search.Vectors;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What of one edition the next one need not read again.
class EditionTest {
    private static final JsonView MAIL = JsonView.of("{\"description\":\"Sends mail.\"}");
    private static final JsonView RAIN = JsonView.of("{\"description\":\"Says whether it rains.\"}");

    private static Offered.Tool tool(String server, String name, JsonView definition) {
        return new Offered.Tool(server, name, definition, true);
    }

    private static Edition edition(Edition before, Offered.Tool... tools) {
        return new Edition(new Offered(new Object(), List.of(tools)), new Vectors(), before);
    }

    @Test
    void a_tool_that_is_still_there_is_not_read_again_and_one_with_another_name_is() {
        Edition one = new Edition(new Offered("one", List.of(tool("a", "mail", MAIL))), new Vectors(), null);
        Card mail = one.library().missing().getFirst();
        Edition two = edition(one, tool("b", "rain", RAIN), tool("a", "mail", MAIL));
        assertThat(two.library().missing()).hasSize(2).contains(mail);
        Edition three = edition(two, tool("a", "post", MAIL), tool("c", "rain", RAIN));
        assertThat(three.library().missing())
                .hasSize(2)
                .doesNotContainAnyElementsOf(two.library().missing());
    }
}
