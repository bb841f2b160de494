package dev.fusebox.gateway.stateless;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a client of the session era said about itself in its handshake, put into each of its requests. Thread-safe;
/// nothing blocks.
public final class Dress {
    private final String capabilities;
    private final String info;
    private volatile @Nullable String logLevel;

    /// @param handshake the parameters of `initialize`
    Dress(@Nullable JsonView handshake) {
        this.capabilities = json(handshake, "capabilities", "{}");
        this.info = json(handshake, "clientInfo", "{\"name\":\"unknown\",\"version\":\"0\"}");
    }

    /// For requests that the gateway makes for itself: it can be asked nothing.
    public static Dress ofGateway() {
        return new Dress(JsonView.of("{\"clientInfo\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}"));
    }

    private static String json(@Nullable JsonView object, String name, String otherwise) {
        JsonView member = object == null ? null : object.member(name);
        return member == null || !member.isObject() ? otherwise : member.json();
    }

    /// From now on the client wants log lines from this level on.
    void hearFrom(String level) {
        logLevel = level;
    }

    /// The request with everything that the stateless era wants to know.
    public Message.Request on(Message.Request request) {
        return with(request, splice -> splice);
    }

    /// The same for another round.
    ///
    /// @param responses what the client answered, by key, as JSON
    /// @param state what the server wants back, as JSON; null if it wants nothing
    Message.Request on(Message.Request request, String responses, @Nullable String state) {
        String members = "\"inputResponses\":" + responses + (state == null ? "" : ",\"requestState\":" + state);
        JsonView params = request.params();
        return with(request, splice -> params == null ? splice : splice.insert(params, members));
    }

    private Message.Request with(Message.Request request, UnaryOperator<Splice> further) {
        JsonView params = request.params();
        JsonView meta = params == null ? null : params.member("_meta");
        Splice splice = further.apply(Splice.of(request.frame()));
        if (params == null) {
            splice.insert(request.frame(), "\"params\":{\"_meta\":{" + members() + "}}");
        } else if (meta == null || !meta.isObject()) {
            splice.insert(params, "\"_meta\":{" + members() + "}");
        } else {
            splice.insert(meta, members());
        }
        return Message.Request.of(splice.bytes());
    }

    private String members() {
        String level = logLevel;
        return "\"" + Metadata.VERSION + "\":\"" + Refusal.REVISION + "\",\"" + Metadata.CAPABILITIES + "\":"
                + capabilities
                + ",\"" + Metadata.INFO + "\":" + info
                + (level == null ? "" : ",\"" + Metadata.LOG_LEVEL + "\":" + JsonWriter.quoted(level));
    }
}
