package dev.fusebox.gateway.result;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits on results for the clients of one workspace: it cuts what is too long, and answers requests for what was
/// cut off. Thread-safe; nothing blocks, except the first cut for a moment, for a random number.
public final class ResultLimiter implements AutoCloseable {
    /// The template of the addresses of cut text, as clients list it.
    public static final String TEMPLATE = "{\"uriTemplate\":\"" + CutTextAddress.PREFIX
            + "{id}/{part}\",\"name\":\"cut-results\",\"title\":\"Rest of results that were too long\",\"description\":"
            + "\"Text that was cut off from the result of a tool or a resource; the result has the addresses.\","
            + "\"mimeType\":\"text/plain\"}";

    private final ResultStore store;

    /// Identifies the workspace.
    private final Object workspace = new Object();

    private volatile ResultRules rules = ResultRules.DEFAULT;
    private volatile boolean closed;

    public ResultLimiter(ResultStore store) {
        this.store = store;
    }

    /// Sets the rules for later results.
    public void setRules(ResultRules other) {
        rules = other;
    }

    /// Whether the results of all servers are limited.
    public boolean limitsAll() {
        return rules.maxTokens() != ResultSource.NO_LIMIT;
    }

    /// Whether an outcome is certainly within its limits: no result has a content that is longer than its frame, so
    /// nothing is read.
    ///
    /// @param maxBytes of the server, as in [ResultSource]
    public boolean isWithin(Outcome outcome, long maxBytes) {
        return !(outcome instanceof Outcome.Answered answered)
                || answered.answer().frame().length() <= Math.min(maxBytes, rules.maxTokenBytes());
    }

    /// The result within its limits; the same outcome if it is.
    public Outcome limit(Outcome outcome, ResultSource source) {
        ResultRules now = rules;
        if (!(outcome instanceof Outcome.Answered answered)) {
            return outcome;
        }
        Message.Answer answer = answered.answer();
        ResultContent content = ResponseRelay.isFinal(answer) ? ResultContent.of(answer) : null;
        return content == null
                ? outcome
                : new ResultCut(source, now, text -> keep(text, source.principal(), now.keep()))
                        .apply(answered, content);
    }

    private @Nullable String keep(DividedText text, Principal principal, Duration time) {
        String id = store.keep(text, new ResultStore.Owner(principal, workspace), time);
        // Close sets its flag first and removes afterwards: one of the two sees the other.
        if (closed) {
            store.removeAll(workspace);
        }
        return id;
    }

    /// Whether the address is one of cut text, whether that is kept or not.
    public static boolean isAddress(@Nullable String uri) {
        return uri != null && uri.startsWith(CutTextAddress.PREFIX);
    }

    /// Answers a request for cut text. What belongs to another principal is as unknown as what is gone.
    public Outcome read(Call call, String uri, ResultFormat form) {
        CutTextAddress address = CutTextAddress.parse(uri);
        Principal principal = call.client().principal();
        ResultStore.Kept kept =
                address == null ? null : store.find(address.id(), new ResultStore.Owner(principal, workspace));
        boolean isPart = address != null
                && kept != null
                && address.part() >= 1
                && address.part() <= kept.text().parts();
        byte[] frame = address == null || kept == null || !isPart
                ? unknown(call, uri, form)
                : JsonRpcFrames.result(
                        call.request().id(), ResultNote.part(address, kept.text(), form, store.left(kept)));
        Message.Answer answer = Message.Answer.of(frame);
        return new Outcome.Answered(answer.asOurs());
    }

    /// The URI is repeated in the error data (revision 2025-11-25, section "Resources", "Error Handling").
    private byte[] unknown(Call call, String uri, ResultFormat form) {
        int code = form.inSession() ? JsonRpcErrorCode.RESOURCE_NOT_FOUND : JsonRpcErrorCode.INVALID_PARAMS;
        String message = "no text is kept at this address: text that was cut off can be read for "
                + ResultNote.time(rules.keep())
                + " at most, and is removed earlier if memory is short; call the tool or read the resource again";
        return JsonRpcFrames.error(call.request().id(), code, message, "{\"uri\":" + JsonWriter.quoted(uri) + "}");
    }

    /// Releases all text.
    @Override
    public void close() {
        closed = true;
        store.removeAll(workspace);
    }
}
