package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.PerCatalog;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code router:fusion}: asks a panel and an analyst, and gives their answers to the model
 * that called it. A failure is reported in the result, and the model continues.
 *
 * <p>Contract: plugins fact sheet, section 4.
 */
final class FusionTool implements ServerTool {
  static final String TYPE = "router:fusion";

  private static final Spec SPEC =
      new Spec(
          TYPE,
          "Asks several other models the same question at the same time and returns their answers"
              + " with a comparison: where they agree, where they contradict each other, and what"
              + " only some or none of them say. Call it once, before you answer, when a question"
              + " is hard, disputed or important. They read the conversation themselves.",
          Json.object().put("type", "object").put("properties", Json.Obj.EMPTY).build());

  private static final JsonPointer ROOT = JsonPointer.ROOT;

  private final PerCatalog<Panels> panels;

  /**
   * @param panels the panels of the presets, by catalog
   */
  FusionTool(PerCatalog<Panels> panels) {
    this.panels = panels;
  }

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public boolean makesInnerCalls() {
    return true;
  }

  @Override
  public List<Problem> problems(Json.Obj parameters, Catalog catalog, Set<String> innerTools) {
    var problems = new ArrayList<Problem>();
    if (parameters.list("analysis_models") instanceof Json.Arr models) {
      for (int i = 0; i < models.size(); i++) {
        check(models.get(i), ROOT.child("analysis_models").child(i), catalog, problems);
      }
    } else if (panels.of(catalog).of(Panels.HIGH).isEmpty()) {
      problems.add(Panels.noDefaultPanel(ROOT));
    }
    check(parameters.get("model"), ROOT.child("model"), catalog, problems);
    if (parameters.list("tools") instanceof Json.Arr tools) {
      problems.addAll(
          PanelTool.problemsOfUnavailable(PanelTool.of(tools), ROOT.child("tools"), innerTools));
    }
    return problems;
  }

  private static void check(
      @Nullable Json model, JsonPointer at, Catalog catalog, List<Problem> problems) {
    if (model instanceof Json.Str name) {
      Panels.check(name.text(), at, catalog, problems);
    }
  }

  @Override
  public Json run(Invocation call, Chain chain) {
    if (!call.earlierResults().isEmpty()) {
      return PanelRun.error(
          "fusion_invocation_capped", "The panel is asked once for each answer: use its result.");
    }
    return new PanelRun(call, chain, panels.of(chain.catalog()).of(Panels.HIGH).models()).run();
  }
}
