package io.strowger.core.guardrail;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.TextEditor;
import io.strowger.spi.model.TextKind;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.TextClassifier;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The interceptor of the plugin {@code moderation}: filters requests and answers as the operator
 * configured it. Immutable.
 */
final class Moderation implements Interceptor {
  private static final int INPUT_CHARACTERS = 100;
  private static final String MIDDLE = "...";

  private final TextFilter requests;
  private final List<FilterRule> answers;
  private final List<TextClassifier> classifiers;
  private final Map<String, FilterAction> requestActions;
  private final Map<String, FilterAction> answerActions;

  /**
   * @param requestActions the actions by category of a classifier; other categories are ignored
   */
  Moderation(
      List<FilterRule> requests,
      List<FilterRule> answers,
      List<TextClassifier> classifiers,
      Map<String, FilterAction> requestActions,
      Map<String, FilterAction> answerActions) {
    this.requests = new TextFilter(requests);
    this.answers = List.copyOf(answers);
    this.classifiers = List.copyOf(classifiers);
    this.requestActions = Map.copyOf(requestActions);
    this.answerActions = Map.copyOf(answerActions);
  }

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    var findings = new Findings();
    InferenceRequest passed;
    try {
      var editor = new ContentEditor(requests, findings, new CooperativeScan(chain.cancellation()));
      passed = request.editTexts(editor);
    } catch (CooperativeScan.Stopped over) {
      return EventStream.of(
          List.of(
              Event.Failed.upstream(
                  Failure.of(FailureKind.CANCELLED, "nobody waits for the request any more"))));
    }
    if (!findings.isEmpty()) {
      chain.stage(stage("request", findings.strongest(), findings.allNames()));
    }
    if (findings.blocked()) {
      throw refusal("Request", findings.blocking(), findings.blockedText(), request).toException();
    }
    judgeRequest(passed, chain);
    EventStream answer = chain.proceed(passed);
    return classified(guarded(answer, passed, chain), passed, chain);
  }

  private EventStream guarded(EventStream answer, InferenceRequest request, Chain chain) {
    return answers.isEmpty()
        ? answer
        : new GuardedAnswerStream(
            answer,
            answers,
            ContentFilter.declared(request),
            found -> refusal("Answer", found.blocking(), lastInput(request), request),
            found -> chain.stage(stage("answer", found.strongest(), found.allNames())));
  }

  private void judgeRequest(InferenceRequest request, Chain chain) {
    if (requestActions.isEmpty()) {
      return;
    }
    var said = new StringBuilder();
    request.editTexts(
        new TextEditor() {
          @Override
          public boolean edits(TextKind kind) {
            return kind != TextKind.TOOL_DECLARATION && kind != TextKind.SETTING;
          }

          @Override
          public String edit(String text, TextKind kind) {
            said.append(text).append('\n');
            return text;
          }

          @Override
          public List<String> editAdjacent(List<String> texts, TextKind kind) {
            return texts;
          }
        });
    if (said.isEmpty()) {
      return;
    }
    Set<String> categories = judged(said.toString(), requestActions, chain);
    Set<String> blocking = blocking(categories, requestActions);
    tell("request", categories, requestActions, chain);
    if (!blocking.isEmpty()) {
      throw refusal("Request", blocking, lastInput(request), request).toException();
    }
  }

  private EventStream classified(EventStream answer, InferenceRequest request, Chain chain) {
    if (answerActions.isEmpty()) {
      return answer;
    }
    return new ClassifiedStream(
        answer,
        answerActions.containsValue(FilterAction.BLOCK),
        text -> {
          Set<String> categories = judged(text, answerActions, chain);
          tell("answer", categories, answerActions, chain);
          Set<String> blocking = blocking(categories, answerActions);
          return blocking.isEmpty()
              ? null
              : refusal("Answer", blocking, lastInput(request), request);
        },
        refusal("Answer", Set.of("too-long-to-judge"), lastInput(request), request));
  }

  private Set<String> judged(String text, Map<String, FilterAction> actions, Chain chain) {
    var found = new LinkedHashSet<String>();
    for (TextClassifier classifier : classifiers) {
      if (classifier.categories().stream().anyMatch(actions::containsKey)) {
        found.addAll(classifier.classify(text, chain));
      }
    }
    found.retainAll(actions.keySet());
    return found;
  }

  private static Set<String> blocking(Set<String> categories, Map<String, FilterAction> actions) {
    var blocking = new LinkedHashSet<>(categories);
    blocking.removeIf(category -> actions.get(category) != FilterAction.BLOCK);
    return blocking;
  }

  private static void tell(
      String what, Set<String> categories, Map<String, FilterAction> actions, Chain chain) {
    if (!categories.isEmpty()) {
      boolean block = !blocking(categories, actions).isEmpty();
      chain.stage(stage(what, block ? FilterAction.BLOCK : FilterAction.FLAG, categories));
    }
  }

  private static TraceEntry.Stage stage(
      String what, FilterAction decision, Collection<String> names) {
    String did =
        switch (decision) {
          case BLOCK -> "blocked";
          case REDACT -> "redacted";
          case FLAG -> "flagged";
        };
    Json.Obj data =
        Json.object()
            .put("flagged", true)
            .put("decision", decision.wireName())
            .put("matched_entity_types", list(names))
            .build();
    return new TraceEntry.Stage(
        "guardrail",
        ModerationProvider.ID,
        what + " " + did + ": " + String.join(", ", names),
        data);
  }

  private static Json.Arr list(Collection<String> names) {
    return Json.array(names.stream().map(Json::of).toList());
  }

  /**
   * Returns a 403 error with the metadata of the contract. The error quotes the caller's text,
   * never an answer.
   *
   * @param input the text of the caller to quote, which is shortened
   */
  private static GatewayError refusal(
      String what, Collection<String> reasons, String input, InferenceRequest request) {
    String model = request.models().isEmpty() ? "" : request.models().getFirst().toString();
    return GatewayError.of(
            ErrorCode.PERMISSION_DENIED,
            what + " blocked by moderation: " + String.join(", ", reasons))
        .withMetadata("reasons", list(reasons))
        .withMetadata("flagged_input", Json.of(shortened(input)))
        .withMetadata("provider_name", Json.of("gateway"))
        .withMetadata("model_slug", Json.of(model));
  }

  /** Returns the last text of a user; empty when there is none. */
  private static String lastInput(InferenceRequest request) {
    for (Message message : request.messages().reversed()) {
      if (message.role() != Message.Role.USER) {
        continue;
      }
      for (Part part : message.parts().reversed()) {
        if (part instanceof Part.Text text) {
          return text.text().text();
        }
      }
    }
    return "";
  }

  /**
   * Returns the text, or the beginning and end of one longer than {@value #INPUT_CHARACTERS}
   * characters; an empty string for null.
   */
  static String shortened(@Nullable String input) {
    if (input == null || input.length() <= INPUT_CHARACTERS) {
      return input == null ? "" : input;
    }
    int head = (INPUT_CHARACTERS - MIDDLE.length()) / 2;
    int tail = input.length() - (INPUT_CHARACTERS - MIDDLE.length() - head);
    head -= Character.isHighSurrogate(input.charAt(head - 1)) ? 1 : 0;
    tail += Character.isLowSurrogate(input.charAt(tail)) ? 1 : 0;
    return input.substring(0, head) + MIDDLE + input.substring(tail);
  }
}
