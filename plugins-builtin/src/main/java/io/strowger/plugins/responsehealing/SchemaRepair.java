package io.strowger.plugins.responsehealing;

import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.SchemaValidator.Verdict;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.TraceEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks one answer against the schema of its request, and has the model correct it in one more
 * turn when it does not fit. For one request; may be closed by any thread.
 */
final class SchemaRepair {
  private static final SchemaValidator VALIDATOR = new JsonSchemaValidator();

  private final InferenceRequest request;
  private final Json.Obj schema;
  private final AnswerHealer healer;
  private final Chain chain;
  private volatile @Nullable EventStream correctionStream;
  private volatile boolean closed;

  SchemaRepair(InferenceRequest request, Json.Obj schema, AnswerHealer healer, Chain chain) {
    this.request = request;
    this.schema = schema;
    this.healer = healer;
    this.chain = chain;
  }

  /**
   * Returns a corrected answer; the same answer if it fits, cannot be checked or could not be
   * corrected.
   */
  Answer repair(Answer answer) {
    if (!healer.isCompleteText(answer)) {
      return answer;
    }
    return switch (verdict(answer)) {
      case Verdict.Valid fits -> answer;
      case Verdict.UnusableSchema(String reason) -> {
        chain.note("the answer is not checked: the schema " + reason);
        yield answer;
      }
      case Verdict.Invalid(List<Problem> problems) -> correct(answer, problems);
    };
  }

  private Verdict verdict(Answer answer) {
    byte[] text = AnswerHealer.text(answer).getBytes(StandardCharsets.UTF_8);
    try {
      return VALIDATOR.check(schema, chain.codec().parse(text));
    } catch (JsonCodec.MalformedJsonException e) {
      return new Verdict.Invalid(List.of(new Problem(JsonPointer.ROOT, "must be JSON", "")));
    }
  }

  private Answer correct(Answer first, List<Problem> problems) {
    Answer second = requestCorrection(first, problems);
    if (second == null || !healer.isCompleteText(second)) {
      recordStage(false, "the answer does not fit its schema, and no better one was given", first);
      return first;
    }
    AnswerHealer.Healed healed = healer.heal(second);
    Answer last = healed == null ? second : healed.answer();
    boolean isValid = verdict(last) instanceof Verdict.Valid;
    recordStage(
        isValid,
        isValid
            ? "the model corrected an answer that did not fit its schema"
            : "the answer does not fit its schema, and neither did the first",
        last);
    return last;
  }

  /** Asks the model to correct its answer and returns the new one; null when there is none. */
  private @Nullable Answer requestCorrection(Answer first, List<Problem> problems) {
    var messages = new ArrayList<>(request.messages());
    messages.add(Message.text(Message.Role.ASSISTANT, AnswerHealer.text(first)));
    messages.add(Message.text(Message.Role.USER, correctionPrompt(problems)));
    var collector = new AnswerCollector();
    EventStream stream =
        chain.proceed(request.toBuilder().messages(messages).mayCallTools(false).build());
    correctionStream = stream;
    try {
      while (!closed && !collector.isEnded()) {
        Event event = stream.next();
        if (event == null) {
          break;
        }
        collector.add(event);
      }
    } finally {
      stream.close();
    }
    return collector.isEnded() && collector.failure() == null
        ? collector.answer(request.dialect())
        : null;
  }

  private static String correctionPrompt(List<Problem> problems) {
    return problems.stream()
        .map(problem -> "- " + problem)
        .collect(
            Collectors.joining(
                "\n",
                "Your answer does not fit the JSON Schema that was asked for:\n",
                "\nAnswer again with the whole corrected JSON and nothing else."));
  }

  private void recordStage(boolean isValid, String summary, Answer last) {
    String text = AnswerHealer.text(last);
    chain.recordStage(
        new TraceEntry.Stage(
            "response_healing",
            ResponseHealingProvider.ID,
            summary,
            Json.object()
                .put("mode", "json_schema")
                .put("improved", isValid)
                .put("matches_schema", isValid)
                .put("repair_turns", 1)
                .put("healed_length", text.codePointCount(0, text.length()))
                .build()));
  }

  void close() {
    closed = true;
    EventStream stream = correctionStream;
    if (stream != null) {
      stream.close();
    }
  }
}
