package io.strowger.core.guardrail;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The content filters of all guardrails that apply to a caller, compiled once. They scan the
 * content of a request: text, names and addresses in all parts of all messages, instructions,
 * arguments and results of tools. If several filters match, the strongest action wins: block, then
 * redact, then flag. Resources fact sheet, section 4.
 *
 * <p>Redaction changes the typed request, so nothing derived from the request has the original
 * text: no body sent to an upstream, no record, no cache. Member names in JSON are scanned too, and
 * the result is valid JSON.
 *
 * <p><b>Not found</b>: content of images, audio, video, encoded files and anything else that is
 * encoded; matches that are split over several messages, or over parts that are not adjacent texts;
 * words spelled with look-alike letters; anything in the declarations of tools, the names of models
 * and functions, and ids (in answers, ids are scanned, and so are the names of functions that the
 * request does not declare). The text of a file that a plugin reads is scanned as well, see {@link
 * #changedRequestInterceptor}; what other plugins and tools of the gateway add to a request later,
 * such as web pages, is not.
 *
 * <p>Answers are scanned by the filters whose {@code direction} is {@code output} or {@code both},
 * an extension of the gateway, see {@link #answerRules}. If one of them redacts or blocks, audio is
 * dropped from all answers, since it may speak what was redacted from the text.
 *
 * <p>In one text each filter finds at most {@value TextMatches#MAX_MATCHES} matches; the rest of
 * the text then counts as one match.
 *
 * <p>The time is linear in the size of the request. Immutable and thread-safe.
 */
public final class ContentFilter {
  private static final String ALL_MESSAGES = "all_messages";
  private static final String OUTPUT = "output";
  private static final String BOTH = "both";

  private final TextFilter filter;
  private final boolean filtersRequests;
  private final List<FilterRule> answerRules;

  private ContentFilter(List<DirectedRule> rules) {
    List<FilterRule> requestRules =
        rules.stream().filter(DirectedRule::appliesToRequests).map(DirectedRule::rule).toList();
    this.answerRules =
        rules.stream()
            .filter(rule -> rule.appliesToAnswers() && !rule.rule().isUserOnly())
            .map(DirectedRule::rule)
            .toList();
    this.filter = new TextFilter(requestRules);
    this.filtersRequests = !requestRules.isEmpty();
  }

  /** A rule and its direction: whether it applies to requests, to answers, or to both. */
  private record DirectedRule(
      FilterRule rule, boolean appliesToRequests, boolean appliesToAnswers) {
    static DirectedRule of(FilterRule rule, Json.Obj filter) {
      String direction = filter.text("direction");
      return new DirectedRule(
          rule, !OUTPUT.equals(direction), OUTPUT.equals(direction) || BOTH.equals(direction));
    }
  }

  /** Returns whether any filter applies to requests. */
  public boolean filtersRequests() {
    return filtersRequests;
  }

  /** Returns the interceptor that filters answers; null when no filter applies to them. */
  public @Nullable Interceptor answerInterceptor() {
    return answerRules.isEmpty()
        ? null
        : (request, chain) ->
            filterAnswer(chain.proceed(request), toolNames(request), chain::recordStage);
  }

  /**
   * Returns an interceptor that filters a request again if an earlier plugin changed its messages.
   *
   * @param checkedRequest the request that was already filtered
   */
  public Interceptor changedRequestInterceptor(InferenceRequest checkedRequest) {
    return (request, chain) -> {
      if (request.messages() == checkedRequest.messages()) {
        return chain.proceed(request);
      }
      Filtered filtered = apply(request, chain.cancellation());
      if (filtered == null) {
        return CooperativeScan.cancelledAnswer();
      }
      filtered.stages().forEach(chain::recordStage);
      GatewayError refusal = filtered.refusal();
      if (refusal != null) {
        throw refusal.toException();
      }
      return chain.proceed(filtered.request());
    };
  }

  /**
   * Returns the answer with matches redacted; it ends in a failure if the filters block it.
   *
   * @param declaredTools the names of the request's tools, which are passed on unchecked
   * @param stages receives the trace entries, before the terminal event is passed on
   */
  public EventStream filterAnswer(
      EventStream answer, Set<String> declaredTools, Consumer<TraceEntry.Stage> stages) {
    return new GuardedAnswerStream(
        answer,
        answerRules,
        declaredTools,
        findings -> findings.refusal("Answer"),
        findings -> findings.stages().forEach(stages));
  }

  /** Returns the names of the tools of a request. */
  static Set<String> toolNames(InferenceRequest request) {
    var names = new HashSet<String>();
    for (Tool tool : request.tools()) {
      names.add(
          switch (tool) {
            case Tool.Function function -> function.name();
            case Tool.Server server -> server.type();
            case Tool.Unknown unknown -> unknown.type();
          });
    }
    return names;
  }

  /**
   * Returns the filters of these guardrails combined.
   *
   * @param guardrails valid guardrails, in the form of their resource
   * @return the filters; null when no guardrail has any
   * @throws IllegalArgumentException when a pattern cannot be used: see {@link
   *     FilterPattern#problem}
   */
  public static @Nullable ContentFilter of(Collection<Json.Obj> guardrails) {
    var rules = new ArrayList<DirectedRule>();
    for (Json.Obj guardrail : guardrails) {
      rules.addAll(patternRules(guardrail));
      rules.addAll(builtinRules(guardrail));
    }
    return rules.isEmpty() ? null : new ContentFilter(rules.stream().distinct().toList());
  }

  private static List<DirectedRule> patternRules(Json.Obj guardrail) {
    var rules = new ArrayList<DirectedRule>();
    for (Json.Obj filter : objects(guardrail, "content_filters")) {
      String pattern = filter.text("pattern");
      String action = filter.text("action");
      if (pattern != null && action != null) {
        rules.add(
            DirectedRule.of(
                FilterRule.of(pattern, FilterAction.of(action), filter.text("label")), filter));
      }
    }
    return rules;
  }

  private static List<DirectedRule> builtinRules(Json.Obj guardrail) {
    var rules = new ArrayList<DirectedRule>();
    for (Json.Obj filter : objects(guardrail, "content_filter_builtins")) {
      String slug = filter.text("slug");
      String action = filter.text("action");
      if (slug != null && action != null) {
        String scope = filter.text("scan_scope");
        boolean isUserOnly = scope != null && !scope.equals(ALL_MESSAGES);
        rules.add(
            DirectedRule.of(
                FilterRule.of(BuiltinFilter.of(slug), FilterAction.of(action), isUserOnly),
                filter));
      }
    }
    return rules;
  }

  private static List<Json.Obj> objects(Json.Obj guardrail, String name) {
    var objects = new ArrayList<Json.Obj>();
    if (guardrail.list(name) instanceof Json.Arr list) {
      for (Json item : list) {
        if (item instanceof Json.Obj obj) {
          objects.add(obj);
        }
      }
    }
    return objects;
  }

  /**
   * The result of filtering a request.
   *
   * @param request the request to pass on; the same object when nothing was redacted
   * @param refusal the error to reject the request with; null when it may be passed on
   * @param stages the trace entries; empty when nothing was found
   */
  public record Filtered(
      InferenceRequest request, @Nullable GatewayError refusal, List<TraceEntry.Stage> stages) {
    public Filtered {
      stages = List.copyOf(stages);
    }
  }

  /**
   * Filters a request. Lets other threads run meanwhile.
   *
   * @param cancellation the cancellation of the request
   * @return the result; null when the request was cancelled before the scan was complete
   */
  public @Nullable Filtered apply(InferenceRequest request, Cancellation cancellation) {
    var findings = new Findings();
    InferenceRequest filtered;
    try {
      var scan = new CooperativeScan(cancellation);
      filtered = request.editTexts(new ContentEditor(filter, findings, scan));
    } catch (CooperativeScan.ScanCancelledException e) {
      return null;
    }
    return findings.isEmpty()
        ? new Filtered(request, null, List.of())
        : new Filtered(
            filtered, findings.isBlocked() ? findings.refusal("Request") : null, findings.stages());
  }
}
