package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The labels on questions of a server: its name is put in front of what the person reads, the message of an
/// elicitation or the first text of a sampling request. Everything else stays byte for byte. Pure
/// functions; thread-safe, and nothing blocks.
public final class ServerQuestionLabels {
    /// Code of the error that demands an elicitation by URL first (revision 2025-11-25, section "URL Mode").
    private static final String URL_REQUIRED = "-32042";

    private final String server;
    private final Splice splice;
    private boolean isChanged;

    private ServerQuestionLabels(String server, Splice splice) {
        this.server = server;
        this.splice = splice;
    }

    /// Labels the questions in an outcome; an outcome without one is returned unchanged.
    public static Outcome of(String server, Outcome outcome) {
        return outcome instanceof Outcome.Answered(Message.Answer answer)
                ? new ServerQuestionLabels(server, Splice.of(answer.frame())).label(outcome, answer)
                : outcome;
    }

    /// Labels the questions of a task.
    public static Outcome labelTask(String server, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        ServerQuestionLabels labels = new ServerQuestionLabels(server, Splice.of(answer.frame()));
        JsonView result = answer.result();
        if (result != null) {
            labels.labelRequests(result);
        }
        return labels.isChanged ? new Outcome.Answered(Message.Answer.of(labels.splice.bytes())) : outcome;
    }

    /// Labels the questions of a task in a notification about it.
    public static Message.Notification labelTask(String server, Message.Notification notification) {
        ServerQuestionLabels labels = new ServerQuestionLabels(server, Splice.of(notification.frame()));
        JsonView state = notification.params();
        if (state != null) {
            labels.labelRequests(state);
        }
        return labels.isChanged ? Message.Notification.of(labels.splice.bytes()) : notification;
    }

    /// Labels a question that belongs to no call.
    public static Message.Request of(String server, Message.Request question) {
        ServerQuestionLabels labelled = new ServerQuestionLabels(server, Splice.of(question.frame()));
        labelled.label(question.frame());
        return labelled.isChanged ? Message.Request.of(labelled.splice.bytes()) : question;
    }

    private Outcome label(Outcome outcome, Message.Answer answer) {
        JsonView result = answer.result();
        JsonView error = answer.error();
        if (result != null && "input_required".equals(result.string("resultType"))) {
            labelRequests(result);
        } else if (error != null && isUrlRequired(error)) {
            JsonView elicitations = error.path("data", "elicitations");
            (elicitations == null ? List.<JsonView>of() : elicitations.elements()).forEach(this::labelMessage);
        }
        return isChanged ? new Outcome.Answered(Message.Answer.of(splice.bytes())) : outcome;
    }

    private void labelRequests(JsonView result) {
        result.forEachMember((name, requests) -> {
            if (name.equals("inputRequests")) {
                requests.forEachMember((key, question) -> label(question));
            }
        });
    }

    private static boolean isUrlRequired(JsonView error) {
        JsonView code = error.member("code");
        return code != null && code.json().equals(URL_REQUIRED);
    }

    private void label(JsonView question) {
        String method = question.string("method");
        JsonView params = question.member("params");
        if (params != null && "elicitation/create".equals(method)) {
            labelMessage(params);
        } else if (params != null && "sampling/createMessage".equals(method)) {
            labelSampling(params);
        }
    }

    /// A duplicate member is labeled each time: many clients show the last one.
    private void labelMessage(JsonView params) {
        params.forEachMember((name, text) -> {
            if (name.equals("message")) {
                labelText(text);
            }
        });
    }

    private void labelText(JsonView text) {
        String said = text.string();
        if (said != null) {
            splice.replace(text, JsonWriter.quoted("[" + server + "] " + HiddenCharacters.of(said)));
            isChanged = true;
        }
    }

    private void labelSampling(JsonView params) {
        JsonView messages = params.member("messages");
        JsonView text = messages == null ? null : firstText(messages);
        if (text != null) {
            labelText(text);
        } else if (params.isObject()) {
            labelSystem(params);
        }
    }

    private static @Nullable JsonView firstText(JsonView messages) {
        for (JsonView message : messages.elements()) {
            JsonView content = message.member("content");
            List<JsonView> parts =
                    content == null ? List.of() : content.isArray() ? content.elements() : List.of(content);
            for (JsonView part : parts) {
                JsonView text = part.member("text");
                if (text != null && text.isString()) {
                    return text;
                }
            }
        }
        return null;
    }

    /// For a request without text, such as one with only an image.
    private void labelSystem(JsonView params) {
        JsonView system = params.member("systemPrompt");
        if (system != null) {
            labelText(system);
        } else {
            splice.insert(params, "\"systemPrompt\":" + JsonWriter.quoted("[" + server + "]"));
            isChanged = true;
        }
    }
}
