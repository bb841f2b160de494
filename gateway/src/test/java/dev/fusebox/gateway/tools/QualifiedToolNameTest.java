package dev.fusebox.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Names of tools that contain the name of their server.
class QualifiedToolNameTest {
    @Test
    void name_is_split_at_its_first_separator() {
        assertThat(QualifiedToolName.of("files/read")).isEqualTo(new QualifiedToolName("files", "read"));
        assertThat(QualifiedToolName.of("files/a/b")).isEqualTo(new QualifiedToolName("files", "a/b"));
    }

    @Test
    void name_without_a_server_or_without_a_tool_is_not_split() {
        assertThat(QualifiedToolName.of("read")).isNull();
        assertThat(QualifiedToolName.of("/read")).isNull();
        assertThat(QualifiedToolName.of("files/")).isNull();
        assertThat(QualifiedToolName.of("")).isNull();
    }

    @Test
    void arguments_name_the_server_separately_or_in_the_name_of_the_tool() {
        QualifiedToolName read = new QualifiedToolName("files", "read");
        assertThat(named("{\"server\":\"files\",\"tool\":\"read\"}")).isEqualTo(read);
        assertThat(named("{\"server\":\"files\",\"tool\":\"files/read\"}")).isEqualTo(read);
        assertThat(named("{\"tool\":\"files/read\"}")).isEqualTo(read);
        assertThat(named("{\"server\":\"disks\",\"tool\":\"files/read\"}"))
                .isEqualTo(new QualifiedToolName("disks", "files/read"));
        assertThat(named("{\"tool\":\"read\"}")).isNull();
        assertThat(named("{\"server\":\"files\"}")).isNull();
        assertThat(named("{}")).isNull();
    }

    private static @Nullable QualifiedToolName named(String arguments) {
        return QualifiedToolName.named(JsonView.of(arguments));
    }
}
