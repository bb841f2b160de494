package dev.fusebox.gateway.tools;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.SearchModels;
import dev.fusebox.search.SearchQuery;
import dev.fusebox.search.ToolText;
import dev.fusebox.search.VectorStore;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Reuse of one edition's index by the next.
class ToolIndexSnapshotTest {
    private static final JsonView MAIL = JsonView.of("{\"description\":\"Sends mail.\"}");
    private static final JsonView RAIN = JsonView.of("{\"description\":\"Says whether it rains.\"}");

    private static AvailableTools.Tool tool(String server, String name, JsonView definition) {
        return new AvailableTools.Tool(server, name, definition, true);
    }

    private static ToolIndexSnapshot snapshot(@Nullable ToolIndexSnapshot before, AvailableTools.Tool... tools) {
        return new ToolIndexSnapshot(
                new AvailableTools(new Object(), List.of(tools)),
                new SearchModels(Optional::empty, new VectorStore()),
                before);
    }

    @Test
    void unchanged_tool_is_reused_and_renamed_tool_is_indexed_again() {
        ToolIndexSnapshot one = new ToolIndexSnapshot(
                new AvailableTools("one", List.of(tool("a", "mail", MAIL))),
                new SearchModels(Optional::empty, new VectorStore()),
                null);
        ToolText mail = one.searchIndex().missing().getFirst();
        ToolIndexSnapshot two = snapshot(one, tool("b", "rain", RAIN), tool("a", "mail", MAIL));
        assertThat(two.searchIndex().missing()).hasSize(2).contains(mail);
        ToolIndexSnapshot three = snapshot(two, tool("a", "post", MAIL), tool("c", "rain", RAIN));
        assertThat(three.searchIndex().missing())
                .hasSize(2)
                .doesNotContainAnyElementsOf(two.searchIndex().missing());
    }

    @Test
    void text_that_the_next_edition_reuses_does_not_keep_the_former_one_in_memory() {
        ToolIndexSnapshot[] chain = {snapshot(null, tool("a", "mail", MAIL))};
        WeakReference<ToolIndexSnapshot> former = new WeakReference<>(chain[0]);
        chain[0] = snapshot(chain[0], tool("a", "mail", MAIL), tool("b", "rain", RAIN));
        eventually("the former snapshot is collected", () -> {
            System.gc();
            assertThat(former.get()).isNull();
        });
        assertThat(chain[0].searchIndex().missing()).hasSize(2);
    }

    @Test
    void of_many_tools_only_the_beginning_of_each_is_indexed() {
        JsonView wordy = JsonView.of("{\"description\":\"early " + "filler ".repeat(400) + "late\"}");
        AvailableTools.Tool one = tool("a", "tool", wordy);
        assertThat(isFound("early", one)).isTrue();
        assertThat(isFound("late", one)).isTrue();
        AvailableTools.Tool[] many = IntStream.range(0, 12_000)
                .mapToObj(i -> tool("a", "tool" + i, wordy))
                .toArray(AvailableTools.Tool[]::new);
        assertThat(isFound("early", many)).isTrue();
        assertThat(isFound("late", many)).isFalse();
    }

    private static boolean isFound(String word, AvailableTools.Tool... tools) {
        SearchQuery query = new SearchQuery(word, null, index -> true, 1);
        return !snapshot(null, tools).searchIndex().find(query).hits().isEmpty();
    }
}
