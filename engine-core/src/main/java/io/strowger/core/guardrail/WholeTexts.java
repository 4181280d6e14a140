package io.strowger.core.guardrail;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters the texts of an answer that are not streamed: names and ids of tool calls, citations,
 * runs of server tools, errors. Each string is filtered separately. Confined to one thread.
 */
final class WholeTexts {
  private static final String BASE64 = ";base64,";
  private static final int MAX_CACHED = 64;
  private static final String ID_PREFIX = "redacted_";

  private final List<FilterRule> rules;
  private final Set<String> declaredTools;
  private final TextFilter filter;
  private final Findings findings;
  private final Map<String, String> words = new HashMap<>(); // filtered texts, by the originals
  private final Map<String, String> ids = new HashMap<>();
  private int replacedIds;

  /**
   * @param declaredTools the names of the request's tools, which are not scanned
   */
  WholeTexts(List<FilterRule> rules, Set<String> declaredTools, Findings findings) {
    this.rules = rules;
    this.declaredTools = declaredTools;
    this.filter = new TextFilter(rules);
    this.findings = findings;
  }

  /**
   * Returns an instance for texts that are not part of an answer but may repeat it: a match that a
   * rule would block is replaced by the rule's label.
   */
  static WholeTexts replacing(List<FilterRule> rules, Findings findings) {
    return new WholeTexts(
        rules.stream().map(FilterRule::withoutBlocking).toList(), Set.of(), findings);
  }

  /** Returns the text with matches replaced by labels. */
  String redact(String text) {
    return text.isEmpty() ? text : filter.filter(text, false, findings, new CooperativeScan());
  }

  /**
   * Filters a text that occurs repeatedly, such as a format, like {@link #redact}, and caches the
   * result.
   */
  @Nullable String redactWord(@Nullable String word) {
    if (word == null) {
      return null;
    }
    if (words.size() >= MAX_CACHED && !words.containsKey(word)) {
      words.clear();
    }
    return words.computeIfAbsent(word, this::redact);
  }

  /**
   * Returns an id, or a replacement if it has a match. The replacement is the same for the same id
   * and consists of letters, digits and underscores, since clients send ids back to upstreams that
   * accept nothing else.
   */
  @Nullable String redactId(@Nullable String id) {
    if (id == null) {
      return null;
    }
    if (ids.size() >= MAX_CACHED && !ids.containsKey(id)) {
      ids.clear();
    }
    return ids.computeIfAbsent(
        id, original -> redact(original).equals(original) ? original : ID_PREFIX + replacedIds++);
  }

  /** Returns the name of a tool with matches replaced, or unchanged if the request declares it. */
  @Nullable String redactToolName(@Nullable String name) {
    return name == null || declaredTools.contains(name) ? name : redactWord(name);
  }

  /** Returns a run of a server tool with matches replaced, in its arguments and result too. */
  Part.ServerToolRun redactRun(Part.ServerToolRun run) {
    return new Part.ServerToolRun(
        Objects.requireNonNull(redactId(run.callId())),
        Objects.requireNonNull(redactToolName(run.tool())),
        redactArguments(run.arguments()),
        redactJson(run.result()),
        null);
  }

  private Arguments redactArguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str json) -> {
        AnswerText text = AnswerText.json(rules, findings);
        text.append(json.text());
        text.end();
        String redacted = text.release(text.length());
        yield text.hasChanged() ? new Arguments.Text(Json.of(redacted)) : arguments;
      }
      case Arguments.Value(Json value) -> new Arguments.Value(redactJson(value));
    };
  }

  /** Returns JSON in which every text, name and number was filtered. */
  Json redactJson(Json value) {
    return switch (value) {
      case Json.Str text -> redactAddress(text);
      case Json.Obj object -> redactJson(object);
      case Json.Arr list -> redactJson(list);
      case Json.Num number -> {
        String redacted = redact(number.spelling());
        yield redacted.equals(number.spelling()) ? number : Json.of(redacted);
      }
      case Json.Bool bool -> bool;
      case Json.Null absent -> absent;
    };
  }

  /** Returns a text that may be a URL, filtered; encoded data stays as it is. */
  Json.Str redactAddress(Json.Str text) {
    if (isEncoded(text)) {
      return text;
    }
    String redacted = redact(text.text());
    return redacted.equals(text.text()) ? text : Json.of(redacted);
  }

  Json.Arr redactJson(Json.Arr list) {
    return Json.array(list.stream().map(this::redactJson).toList());
  }

  /** Returns a filtered copy, without the source bytes of the object, which may repeat a match. */
  Json.Obj redactJson(Json.Obj object) {
    var copy = Json.object();
    var names = new HashSet<String>();
    for (int i = 0; i < object.size(); i++) {
      copy.put(uniqueName(redact(object.name(i)), names), redactJson(object.value(i)));
    }
    return copy.build();
  }

  /** Returns a unique name: if redaction made two names equal, a number is added. */
  private static String uniqueName(String name, Set<String> usedNames) {
    String unique = name;
    for (int number = 2; !usedNames.add(unique); number++) {
      unique = name + " " + number;
    }
    return unique;
  }

  /** Returns whether the text is a data URL that consists of valid base64. */
  private static boolean isEncoded(Json.Str text) {
    if (!text.startsWithIgnoreCase("data:")) {
      return false;
    }
    String url = text.text();
    int data = url.indexOf(BASE64);
    return data > 0
        && url.chars().skip((long) data + BASE64.length()).allMatch(WholeTexts::isBase64);
  }

  private static boolean isBase64(int c) {
    return c < 128 && Character.isLetterOrDigit(c) || "+/-_=\r\n".indexOf(c) >= 0;
  }

  /** Returns a failure whose error quotes nothing that the rules match. */
  Event.Failed redactFailure(Event.Failed failed) {
    GatewayError error = redactError(failed.error());
    Failure cause = failed.cause();
    return new Event.Failed(error, cause == null ? null : redactCause(cause));
  }

  private Failure redactCause(Failure cause) {
    return new Failure(
        cause.kind(),
        cause.status(),
        cause.retryAfterSeconds(),
        redact(cause.message()),
        cause.disconnected());
  }

  private GatewayError redactError(GatewayError original) {
    var problems = new ArrayList<Problem>();
    for (Problem problem : original.problems()) {
      problems.add(
          new Problem(
              problem.pointer(),
              redact(problem.allowed()),
              redact(problem.value()),
              problem.origin()));
    }
    GatewayError error =
        original.withProblems(problems).withAvailability(redactJson(original.availability()));
    Json.Obj metadata = original.metadata();
    for (int i = 0; i < metadata.size(); i++) {
      error = error.withMetadata(metadata.name(i), redactJson(metadata.value(i)));
    }
    return error.withMessage(redact(error.message()));
  }
}
