package io.strowger.core.guardrail;

import io.strowger.core.guardrail.AnswerTexts.Kind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redacts an answer that is not streamed. Parts are created from their typed values, without the
 * upstream's document; audio and content that is not modelled are dropped. Of images, videos and
 * files only addresses, ids and names are scanned. Confined to one thread.
 */
record WholeAnswerRedactor(AnswerTexts texts, WholeTexts wholeTexts) {
  /** Returns an answer with matches replaced; meaningless if the answer is blocked. */
  Answer redact(Answer answer) {
    var parts = new ArrayList<Part>();
    var queue = new OutputQueue<Part>(texts, parts::add);
    int calls = 0;
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text p -> queue.addFragment(Kind.TEXT, 0, p.text().text(), Part.Text::new);
        case Part.Thinking p -> addThinking(queue, p);
        case Part.Refusal p ->
            queue.addFragment(
                Kind.REFUSAL,
                0,
                p.text().text(),
                fragment -> new Part.Refusal(Json.of(fragment), null));
        case Part.ToolCall p -> addCall(queue, p, calls++);
        case Part.Citation p -> {
          Json.Obj body = wholeTexts.redactJson(p.body());
          queue.addOther(ignored -> new Part.Citation(body, null));
        }
        case Part.Logprobs p -> {
          String tokens = TokenTexts.joinTokens(p.content());
          boolean isUnchanged =
              wholeTexts.redactJson(p.content()).equals(p.content())
                  && wholeTexts.redact(tokens).equals(tokens);
          queue.addOther(ignored -> isUnchanged && !texts.isChanged(Kind.TEXT) ? p : null);
        }
        case Part.ServerToolRun p -> {
          Part run = wholeTexts.redactRun(p);
          queue.addOther(ignored -> run);
        }
        case Part.Image p -> {
          Media media = redactMedia(p.media());
          queue.addOther(ignored -> new Part.Image(media, Json.Obj.EMPTY, null));
        }
        case Part.Video p -> {
          Json.Str url = wholeTexts.redactAddress(p.url());
          queue.addOther(ignored -> new Part.Video(url, Json.Obj.EMPTY, null));
        }
        case Part.File p -> {
          Json.Obj file = wholeTexts.redactJson(p.file());
          queue.addOther(ignored -> new Part.File(file, Json.Obj.EMPTY, null));
        }
        case Part.ToolResult p -> {} // never part of an answer
        case Part.Unknown p -> {} // dropped, since it cannot be scanned
        case Part.Audio p -> {} // dropped, since it may speak what was redacted
      }
    }
    queue.end();
    return new Answer(
        parts,
        answer.stopReason(),
        wholeTexts.redactWord(answer.nativeReason()),
        answer.usage(),
        answer.dialect(),
        null);
  }

  private Media redactMedia(Media media) {
    return switch (media) {
      case Media.Url(Json.Str url) -> new Media.Url(wholeTexts.redactAddress(url));
      case Media.Inline inline -> inline;
      case Media.FileId(String id) ->
          new Media.FileId(Objects.requireNonNull(wholeTexts.redactId(id)));
    };
  }

  private void addThinking(OutputQueue<Part> queue, Part.Thinking thinking) {
    String format = wholeTexts.redactWord(thinking.format());
    String id = wholeTexts.redactId(thinking.id());
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED || thinking.text().isEmpty()) {
      queue.addOther(
          ignored ->
              new Part.Thinking(
                  thinking.kind(),
                  thinking.text(),
                  thinking.signature(),
                  format,
                  id,
                  Json.Obj.EMPTY,
                  null));
      return;
    }
    boolean isSummary = thinking.kind() == Part.Thinking.Kind.SUMMARY;
    String fullText = thinking.text().text();
    queue.addFragment(
        isSummary ? Kind.SUMMARY : Kind.REASONING,
        0,
        fullText,
        fragment ->
            new Part.Thinking(
                thinking.kind(),
                Json.of(fragment),
                fragment.equals(fullText) ? thinking.signature() : null,
                format,
                id,
                Json.Obj.EMPTY,
                null));
  }

  private void addCall(OutputQueue<Part> queue, Part.ToolCall call, int index) {
    String fullArguments = call.arguments().text();
    String id = Objects.requireNonNull(wholeTexts.redactId(call.id()));
    String name = Objects.requireNonNull(wholeTexts.redactToolName(call.name()));
    Function<String, @Nullable Part> factory =
        fragment ->
            new Part.ToolCall(
                id,
                name,
                fragment.equals(fullArguments)
                    ? call.arguments()
                    : new Arguments.Text(Json.of(fragment)),
                Json.Obj.EMPTY,
                null);
    if (fullArguments.isEmpty()) {
      queue.addOther(factory);
    } else {
      queue.addFragment(Kind.ARGUMENTS, index, fullArguments, factory);
    }
  }
}
