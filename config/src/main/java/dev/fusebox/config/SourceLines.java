package dev.fusebox.config;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lines of servers and keys in a configuration file, for messages. Immutable and thread-safe.
public final class SourceLines {
    private final String file;
    private final @Nullable SourceText source;
    private final @Nullable JsonView root;

    private SourceLines(String file, @Nullable SourceText source, @Nullable JsonView root) {
        this.file = file;
        this.source = source;
        this.root = root;
    }

    /// The lines of a file; for an unreadable file only its name is known. Blocks on file I/O.
    public static SourceLines of(Path file) {
        try {
            SourceText source = SourceText.of(file.toString(), Files.readAllBytes(file));
            return new SourceLines(file.toString(), source, JsonView.parse(source.json()));
        } catch (IOException | JsonSyntaxError unreadable) {
            return new SourceLines(file.toString(), null, null);
        }
    }

    /// The location of a server or one of its keys, as `file:line` of the innermost existing element.
    ///
    /// @param written the server's name as in the file
    public String of(String written, String... keys) {
        if (source == null || root == null) {
            return file;
        }
        JsonView found = server(written);
        if (found == null) {
            return file;
        }
        for (String key : List.of(keys)) {
            JsonView inner = found.member(key);
            if (inner == null) {
                break;
            }
            found = inner;
        }
        return file + ":" + source.at(found.from()).line();
    }

    /// The arguments of a server as they are written, variables unexpanded.
    ///
    /// @param written the server's name as in the file
    public List<String> args(String written) {
        JsonView found = server(written);
        JsonView args = found == null ? null : found.member("args");
        return args == null || !args.isArray()
                ? List.of()
                : args.elements().stream()
                        .map(each -> String.valueOf(each.string()))
                        .toList();
    }

    private @Nullable JsonView server(String written) {
        JsonView whole = root;
        JsonView usual = whole == null ? null : whole.path("mcpServers", written);
        return usual != null || whole == null ? usual : whole.path("servers", written);
    }
}
