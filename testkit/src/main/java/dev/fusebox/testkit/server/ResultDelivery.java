package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.testkit.server.FaultKind.Stage;
import java.time.Duration;
import java.util.List;

/// The answer to a call, before it is written: what stands in it, and how it goes out. Immutable.
///
/// @param id JSON; empty to leave it out
/// @param type what the result says of its kind; empty if it says nothing
/// @param result JSON of an object, from the first member on
/// @param manners how it is written, one fault after the other
record ResultDelivery(CallContext callContext, String id, String type, Pieces result, List<ScriptedFault> manners) {
    private static final Pieces TEXT_BEGINS = Pieces.of("\"content\":[{\"type\":\"text\",\"text\":\"");
    private static final String TEXT_ENDS = "\"}]}";

    static ResultDelivery of(CallContext callContext, String result) {
        String members = result.substring(1);
        return new ResultDelivery(
                callContext, callContext.id().json(), callContext.client().resultType(), Pieces.of(members), List.of());
    }

    /// The same as a result of another kind; of none, if that is empty.
    ResultDelivery as(String otherType) {
        return new ResultDelivery(callContext, id, otherType, result, manners);
    }

    /// The same, spoilt by those of the faults that concern it.
    ResultDelivery with(List<ScriptedFault> faults) {
        ResultDelivery spoilt = this;
        for (ScriptedFault fault : faults) {
            if (fault.kind().stage() == Stage.REWRITE) {
                spoilt = spoilt.rewritten(fault);
            }
        }
        List<ScriptedFault> ways = faults.stream()
                .filter(fault -> fault.kind().stage() == Stage.WRITE)
                .toList();
        return new ResultDelivery(callContext, spoilt.id, spoilt.type, spoilt.result, ways);
    }

    private ResultDelivery rewritten(ScriptedFault fault) {
        return switch (fault.kind()) {
            case UNKNOWN_ID -> under(fault.effectiveValue());
            case ID_AS_STRING -> under(ToolContent.quoted(id.replace("\"", "")));
            case ID_AS_DECIMAL -> under(id + ".0");
            case ID_NULL -> under("null");
            case ID_MISSING -> under("");
            case UNKNOWN_RESULT_TYPE -> as(fault.effectiveValue());
            case MISSING_RESULT_TYPE -> as("");
            case GIANT -> saying(text(Pieces.repeated("x", fault.number())));
            case DEEP ->
                saying(inStructure(Pieces.repeated("[", fault.number()).and(Pieces.repeated("]", fault.number()))));
            case LONG_NUMBER -> saying(inStructure(Pieces.repeated("7", fault.number())));
            case INVALID_UTF8 -> saying(text(Pieces.of(new byte[] {(byte) 0xC3, (byte) 0x28})));
            case ODD_CHARACTERS -> saying(text(Pieces.of("\\ud800 \\u0000 \u2028")));
            default -> throw new IllegalArgumentException(fault.text() + " rewrites nothing");
        };
    }

    private ResultDelivery under(String otherId) {
        return new ResultDelivery(callContext, otherId, type, result, manners);
    }

    private ResultDelivery saying(Pieces other) {
        return new ResultDelivery(callContext, id, type, other, manners);
    }

    private static Pieces text(Pieces inside) {
        return TEXT_BEGINS.and(inside).and(TEXT_ENDS);
    }

    private static Pieces inStructure(Pieces value) {
        return Pieces.of("\"content\":[],\"structuredContent\":{\"value\":")
                .and(value)
                .and("}}");
    }

    /// The whole message.
    Pieces frame() {
        String begin = "{\"jsonrpc\":\"2.0\"," + (id.isEmpty() ? "" : "\"id\":" + id + ",") + "\"result\":{";
        String kind = type.isEmpty() ? "" : "\"resultType\":" + ToolContent.quoted(type) + ",";
        return Pieces.of(begin + kind + callContext.client().signature())
                .and(result)
                .and("}");
    }

    void write() {
        Outbox outbox = callContext.outbox();
        if (manners.isEmpty() && result.length() < Integer.MAX_VALUE / 2) {
            outbox.answer(whole(frame()));
            return;
        }
        Pieces bytes = outbox.encode(frame());
        Duration apart = Duration.ZERO;
        for (ScriptedFault manner : manners) {
            bytes = inManner(manner, bytes);
            apart = manner.kind() == FaultKind.DRIP ? Duration.ofMillis(manner.number()) : apart;
        }
        outbox.write(bytes, apart);
        outbox.finish();
    }

    private static byte[] whole(Pieces frame) {
        return frame.head(Math.toIntExact(frame.length()));
    }

    private Pieces inManner(ScriptedFault manner, Pieces bytes) {
        return switch (manner.kind()) {
            case DUPLICATE -> bytes.and(bytes);
            case DRIP -> bytes.inChunksOf(1);
            case SPLIT -> bytes.inChunksOf(Math.max(1, Math.toIntExact(bytes.length() / manner.number())));
            case GLUE ->
                callContext
                        .outbox()
                        .encode(Pieces.of(
                                JsonRpcFrames.notification("notifications/message", "{\"level\":\"info\",\"data\":1}")))
                        .and(bytes);
            case CRLF -> callContext.outbox().encode(frame().and("\r"));
            default -> throw new IllegalArgumentException(manner.text() + " is no way to write");
        };
    }
}
