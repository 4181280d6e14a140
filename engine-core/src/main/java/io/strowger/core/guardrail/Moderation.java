package io.strowger.core.guardrail;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
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
  private static final int MAX_QUOTE_CHARS = 100;
  private static final String ELLIPSIS = "...";

  private final TextFilter requestFilter;
  private final List<FilterRule> answerRules;
  private final List<TextClassifier> classifiers;
  private final Map<String, FilterAction> requestActions;
  private final Map<String, FilterAction> answerActions;

  /**
   * @param requestActions the actions by category of a classifier; other categories are ignored
   */
  Moderation(
      List<FilterRule> requestRules,
      List<FilterRule> answerRules,
      List<TextClassifier> classifiers,
      Map<String, FilterAction> requestActions,
      Map<String, FilterAction> answerActions) {
    this.requestFilter = new TextFilter(requestRules);
    this.answerRules = List.copyOf(answerRules);
    this.classifiers = List.copyOf(classifiers);
    this.requestActions = Map.copyOf(requestActions);
    this.answerActions = Map.copyOf(answerActions);
  }

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    var findings = new Findings();
    InferenceRequest filtered;
    try {
      var editor =
          new ContentEditor(requestFilter, findings, new CooperativeScan(chain.cancellation()));
      filtered = request.editTexts(editor);
    } catch (CooperativeScan.ScanCancelledException e) {
      return CooperativeScan.cancelledAnswer();
    }
    if (!findings.isEmpty()) {
      chain.recordStage(stage("request", findings.strongest(), findings.allNames()));
    }
    if (findings.isBlocked()) {
      throw refusal("Request", findings.blockingNames(), findings.blockedText(), request)
          .toException();
    }
    judgeRequest(filtered, chain);
    EventStream answer = chain.proceed(filtered);
    return classifyAnswer(guardAnswer(answer, filtered, chain), filtered, chain);
  }

  private EventStream guardAnswer(EventStream answer, InferenceRequest request, Chain chain) {
    return answerRules.isEmpty()
        ? answer
        : new GuardedAnswerStream(
            answer,
            answerRules,
            ContentFilter.toolNames(request),
            findings -> refusal("Answer", findings.blockingNames(), lastInput(request), request),
            findings ->
                chain.recordStage(stage("answer", findings.strongest(), findings.allNames())));
  }

  private void judgeRequest(InferenceRequest request, Chain chain) {
    if (requestActions.isEmpty()) {
      return;
    }
    var requestText = new StringBuilder();
    request.editTexts(
        new TextEditor() {
          @Override
          public boolean edits(TextKind kind) {
            return kind != TextKind.TOOL_DECLARATION && kind != TextKind.SETTING;
          }

          @Override
          public String edit(String text, TextKind kind) {
            requestText.append(text).append('\n');
            return text;
          }

          @Override
          public List<String> editAdjacent(List<String> texts, TextKind kind) {
            return texts;
          }
        });
    if (requestText.isEmpty()) {
      return;
    }
    Set<String> categories = classify(requestText.toString(), requestActions, chain);
    Set<String> blocking = blockingCategories(categories, requestActions);
    addStage("request", categories, requestActions, chain);
    if (!blocking.isEmpty()) {
      throw refusal("Request", blocking, lastInput(request), request).toException();
    }
  }

  private EventStream classifyAnswer(EventStream answer, InferenceRequest request, Chain chain) {
    if (answerActions.isEmpty()) {
      return answer;
    }
    return new ClassifiedStream(
        answer,
        answerActions.containsValue(FilterAction.BLOCK),
        text -> {
          Set<String> categories = classify(text, answerActions, chain);
          addStage("answer", categories, answerActions, chain);
          Set<String> blocking = blockingCategories(categories, answerActions);
          return blocking.isEmpty()
              ? null
              : refusal("Answer", blocking, lastInput(request), request);
        },
        refusal("Answer", Set.of("too-long-to-judge"), lastInput(request), request));
  }

  private Set<String> classify(String text, Map<String, FilterAction> actions, Chain chain) {
    var categories = new LinkedHashSet<String>();
    for (TextClassifier classifier : classifiers) {
      if (classifier.categories().stream().anyMatch(actions::containsKey)) {
        categories.addAll(classifier.classify(text, chain));
      }
    }
    categories.retainAll(actions.keySet());
    return categories;
  }

  private static Set<String> blockingCategories(
      Set<String> categories, Map<String, FilterAction> actions) {
    var blocking = new LinkedHashSet<>(categories);
    blocking.removeIf(category -> actions.get(category) != FilterAction.BLOCK);
    return blocking;
  }

  private static void addStage(
      String subject, Set<String> categories, Map<String, FilterAction> actions, Chain chain) {
    if (!categories.isEmpty()) {
      boolean isBlocking = !blockingCategories(categories, actions).isEmpty();
      chain.recordStage(
          stage(subject, isBlocking ? FilterAction.BLOCK : FilterAction.FLAG, categories));
    }
  }

  private static TraceEntry.Stage stage(
      String subject, FilterAction decision, Collection<String> names) {
    Json.Obj data =
        Json.object()
            .put("flagged", true)
            .put("decision", decision.wireName())
            .put("matched_entity_types", Json.strings(names))
            .build();
    return new TraceEntry.Stage(
        "guardrail", ModerationProvider.ID, subject + " " + decision.summary(names), data);
  }

  private static GatewayError refusal(
      String subject, Collection<String> reasons, String input, InferenceRequest request) {
    String model = request.models().isEmpty() ? "" : request.models().getFirst().toString();
    return GatewayError.of(
            ErrorCode.PERMISSION_DENIED,
            subject + " blocked by moderation: " + String.join(", ", reasons))
        .withMetadata("reasons", Json.strings(reasons))
        .withMetadata("flagged_input", Json.of(shorten(input)))
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
   * Returns the text; of a text longer than {@value #MAX_QUOTE_CHARS} characters only the beginning
   * and the end; an empty string for null.
   */
  static String shorten(@Nullable String input) {
    if (input == null || input.length() <= MAX_QUOTE_CHARS) {
      return input == null ? "" : input;
    }
    int head = (MAX_QUOTE_CHARS - ELLIPSIS.length()) / 2;
    int tail = input.length() - (MAX_QUOTE_CHARS - ELLIPSIS.length() - head);
    head -= Character.isHighSurrogate(input.charAt(head - 1)) ? 1 : 0;
    tail += Character.isLowSurrogate(input.charAt(tail)) ? 1 : 0;
    return input.substring(0, head) + ELLIPSIS + input.substring(tail);
  }
}
