package io.strowger.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.tck.FakeCandidates;
import io.strowger.tck.Given;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Runs one router over a catalog in the way the engine does. */
public final class RouterCase {
  private final PluginRegistry registry;
  private final Catalog catalog;

  public RouterCase(Catalog catalog, PluginProvider... providers) {
    Plugins plugins = Plugins.none();
    for (PluginProvider provider : providers) {
      plugins = plugins.add(provider);
    }
    this.registry = PluginRegistry.of(plugins);
    this.catalog = catalog;
  }

  /**
   * A model that one provider serves.
   *
   * @param coding the coding score from 0 to 100; below 0 for none
   * @param intelligence the intelligence score, as {@code coding}
   * @param price the price in dollars per million tokens
   */
  public record PricedModel(String id, double coding, double intelligence, String price) {}

  public static Catalog catalog(PricedModel... models) {
    var catalog = Catalog.builder("test");
    for (PricedModel model : models) {
      catalog.add(
          ModelInfo.builder(model.id())
              .codingScore(model.coding() < 0 ? null : model.coding() / 100)
              .intelligenceScore(model.intelligence() < 0 ? null : model.intelligence() / 100)
              .build(),
          List.of(Given.endpoint("p", model.id(), model.price())));
    }
    return catalog.build();
  }

  /** Parses an entry of a request's {@code plugins}, whose members use single quotes. */
  public static PluginEntry entry(String id, String members) {
    String text = "{'id':'" + id + "'" + (members.isEmpty() ? "" : "," + members) + "}";
    try {
      var config =
          (Json.Obj)
              new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
      return new PluginEntry(id, !Json.FALSE.equals(config.get("enabled")), config);
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Returns the decision of the router that the request's first model names. */
  public Selection select(InferenceRequest request, UnaryOperator<FakeCandidates> view) {
    return select(request, List.of(), view);
  }

  public Selection select(
      InferenceRequest request, List<PluginEntry> saved, UnaryOperator<FakeCandidates> view) {
    var problems = new Problems();
    request.plugins().forEach(entry -> registry.check(entry, JsonPointer.ROOT, problems));
    assertThat(problems.list()).isEmpty();
    var prepared = registry.prepare(catalog, saved);
    RouterStep step = prepared.steps(request).getFirst();
    RouterPlugin router = Objects.requireNonNull(prepared.find(step));
    return router.select(view.apply(FakeCandidates.of(catalog)).facts(step.facts()));
  }

  public Selection select(InferenceRequest request) {
    return select(request, view -> view);
  }

  /** Returns the ids of the selected models without their authors, in order. */
  public static List<String> chosen(Selection selection) {
    assertThat(selection).isInstanceOf(Selection.Models.class);
    var names = new ArrayList<String>();
    for (String id : ((Selection.Models) selection).ids()) {
      names.add(id.substring(id.indexOf('/') + 1));
    }
    return names;
  }

  /** Returns the data that the router attached to its selection. */
  public static Json.Obj data(Selection selection) {
    return ((Selection.Models) selection).data();
  }
}
