package io.strowger.core.guardrail;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content filters of all guardrails that apply to a caller, made ready once. Looks through what
 * a request says to a model: text, names and addresses in all parts of all messages, instructions,
 * arguments and results of tools. Where several filters find something, the strongest action wins:
 * block, then redact, then flag. Resources fact sheet, section 4.
 *
 * <p>What is redacted is redacted in the typed request, so nothing that is made of it has the old
 * words: no body sent to an upstream, no record, no cache. Names in JSON are text like any other,
 * and JSON stays JSON.
 *
 * <p><b>Not found</b>: what is inside pictures, sounds, films and encoded files, or encoded in any
 * other way; what is split over several messages, or over parts that are not texts next to each
 * other; what letters that only look alike spell; anything in the declarations of tools, the names
 * of models and functions, and ids. What plugins and tools of the gateway add to a request later is
 * not looked at, and answers are not.
 *
 * <p>In one text each filter finds {@value TextMatches#MOST_PIECES} pieces at most; then the rest
 * of the text counts as found.
 *
 * <p>Takes time linear in the request. Immutable, safe on any thread.
 */
public final class ContentFilter {
  private static final String ALL = "all_messages";

  private final TextFilter filter;

  private ContentFilter(List<FilterRule> rules) {
    this.filter = new TextFilter(rules);
  }

  /**
   * The filters of these guardrails together.
   *
   * @param guardrails in the form of their resource, valid
   * @return null when none of them filters anything
   * @throws IllegalArgumentException when a pattern cannot be used: see {@link
   *     FilterPattern#problem}
   */
  public static @Nullable ContentFilter of(Collection<Json.Obj> guardrails) {
    var rules = new ArrayList<FilterRule>();
    for (Json.Obj guardrail : guardrails) {
      rules.addAll(patterns(guardrail));
      rules.addAll(builtins(guardrail));
    }
    return rules.isEmpty() ? null : new ContentFilter(rules.stream().distinct().toList());
  }

  private static List<FilterRule> patterns(Json.Obj guardrail) {
    var rules = new ArrayList<FilterRule>();
    for (Json.Obj filter : objects(guardrail, "content_filters")) {
      String pattern = filter.text("pattern");
      String action = filter.text("action");
      if (pattern != null && action != null) {
        rules.add(FilterRule.of(pattern, Action.of(action), filter.text("label")));
      }
    }
    return rules;
  }

  private static List<FilterRule> builtins(Json.Obj guardrail) {
    var rules = new ArrayList<FilterRule>();
    for (Json.Obj filter : objects(guardrail, "content_filter_builtins")) {
      String slug = filter.text("slug");
      String action = filter.text("action");
      if (slug != null && action != null) {
        String scope = filter.text("scan_scope");
        boolean userOnly = scope != null && !scope.equals(ALL);
        rules.add(FilterRule.of(Builtin.of(slug), Action.of(action), userOnly));
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
   * What a request came to.
   *
   * @param request as it may go on; the very same when nothing was taken out
   * @param refusal why it may not go on at all; null when it may
   * @param stages what there is to tell; none when nothing was found
   */
  public record Filtered(
      InferenceRequest request, @Nullable GatewayError refusal, List<TraceEntry.Stage> stages) {
    public Filtered {
      stages = List.copyOf(stages);
    }
  }

  /**
   * Looks through a request. Lets others run meanwhile.
   *
   * @param cancellation of the request
   * @return null when the request was cancelled before it was looked through
   */
  public @Nullable Filtered apply(InferenceRequest request, Cancellation cancellation) {
    var findings = new Findings();
    InferenceRequest filtered;
    try {
      var scan = new CooperativeScan(cancellation);
      filtered = request.editTexts(new ContentEditor(filter, findings, scan));
    } catch (CooperativeScan.Stopped cancelled) {
      return null;
    }
    return findings.isEmpty()
        ? new Filtered(request, null, List.of())
        : new Filtered(filtered, findings.blocked() ? findings.refusal() : null, findings.stages());
  }
}
