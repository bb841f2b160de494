package dev.fusebox.gateway.share;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A gateway's answer to [Hello]. Immutable.
sealed interface Welcome {
    String NOT_UNDERSTOOD = "its answer is not understood";

    /// The gateway serves the client once it has these variables.
    ///
    /// @param release that the gateway runs
    /// @param process its process id; null if it does not say that
    /// @param variables the names that its configuration refers to
    record Accepted(Release release, @Nullable Long process, List<String> variables) implements Welcome {
        public Accepted {
            variables = List.copyOf(variables);
        }
    }

    /// The client cannot be served by this gateway.
    record Refused(String reason) implements Welcome {}

    default byte[] bytes() {
        JsonWriter json = new JsonWriter().beginObject();
        switch (this) {
            case Accepted(Release release, Long process, List<String> variables) -> {
                json.name("version").string(release.version());
                json.name("build").string(release.build());
                json.name("builtMs").number(release.builtMs());
                if (process != null) {
                    json.name("process").number(process);
                }
                json.name("variables").beginArray();
                variables.forEach(json::string);
                json.endArray();
            }
            case Refused(String reason) -> json.name("refused").string(reason);
        }
        return json.endObject().bytes();
    }

    /// Why the gateway does not serve the client whose variables it has; null if it does.
    static @Nullable String refusal(byte[] line) {
        try {
            return JsonView.parse(line).string("refused");
        } catch (JsonSyntaxError noAnswer) {
            return NOT_UNDERSTOOD;
        }
    }

    static Welcome read(byte[] line) {
        JsonView json;
        try {
            json = JsonView.parse(line);
        } catch (JsonSyntaxError noWelcome) {
            return new Refused(NOT_UNDERSTOOD);
        }
        String refused = json.string("refused");
        Release release = Hello.release(json);
        JsonView variables = json.member("variables");
        if (refused != null || release == null || variables == null) {
            return new Refused(Objects.requireNonNullElse(refused, NOT_UNDERSTOOD));
        }
        List<String> names = variables.elements().stream()
                .flatMap(name -> Stream.ofNullable(name.string()))
                .toList();
        return new Accepted(release, Hello.number(json, "process"), names);
    }
}
