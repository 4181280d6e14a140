package io.strowger.host.demo;

import io.strowger.core.Gateway;
import io.strowger.core.Routing;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.catalog.CatalogImport;
import io.strowger.host.catalog.ImportOptions;
import io.strowger.host.catalog.ImportResult;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.show.DecisionTable;
import io.strowger.host.show.DecisionView;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;

/** The demo of decisions over a real price list. Nothing is dispatched. */
public final class CatalogDemo {
  private static final int SHOWN = 5;
  private static final long SEED = 7;

  private final DemoReport demoReport;
  private final Ambient ambient;

  public CatalogDemo(PrintStream out, Ambient ambient) {
    this.demoReport = new DemoReport(out);
    this.ambient = ambient;
  }

  /**
   * Imports the list and explains some decisions.
   *
   * @param name the name of the list in the output
   * @param list the list in the form of models.dev; must not be changed afterwards
   * @throws IOException when the list is not in this form or has no models
   */
  public void run(String name, byte[] list) throws IOException {
    ImportResult imported = imported(name, list);
    if (imported.config().list("models") instanceof Json.Arr models && models.isEmpty()) {
      throw new IOException(name + " has no model to decide about");
    }
    GatewayConfig config =
        new ConfigReader(new JacksonCodec(), variable -> "not-a-key")
            .read(imported.config())
            .orThrow();
    demoReport.title("Decisions over " + name);
    imported.summary().lines().forEach(demoReport::say);
    try (var running = RunningGateway.open(config, ambient)) {
      explain(running.gateway(), byPriceVariety(config));
    }
  }

  private static ImportResult imported(String name, byte[] list) throws IOException {
    try {
      return CatalogImport.MODELS_DEV.read(new JacksonCodec().parse(list), ImportOptions.ALL);
    } catch (JsonCodec.MalformedJsonException | IllegalArgumentException e) {
      throw new IOException(name + " is not a models.dev list: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the models by the number of their different prices, most first; models that are free
   * somewhere come last.
   */
  private static List<ModelInfo> byPriceVariety(GatewayConfig config) {
    return config.catalog().models().stream()
        .sorted(
            Comparator.comparing(CatalogDemo::isFreeSomewhere)
                .thenComparing(Comparator.comparingLong(CatalogDemo::distinctPrices).reversed()))
        .toList();
  }

  private static long distinctPrices(ModelInfo model) {
    return model.endpoints().stream().mapToLong(Endpoint::blendedPrice).distinct().count();
  }

  private static boolean isFreeSomewhere(ModelInfo model) {
    return model.endpoints().stream().anyMatch(endpoint -> endpoint.blendedPrice() == 0);
  }

  private static List<String> providers(ModelInfo model) {
    return model.endpoints().stream().map(e -> e.provider().slug()).distinct().toList();
  }

  private void explain(Gateway gateway, List<ModelInfo> models) {
    ModelInfo model = models.getFirst();
    List<String> slugs = providers(model);
    String cheapest = slugs.getFirst();
    String other = slugs.get(Math.min(2, slugs.size() - 1));
    show(gateway, "Cheap providers are likely to come first", request(model));
    show(
        gateway,
        "Without the cheapest provider",
        provider(model, "ignore", DemoContext.strings(cheapest)));
    show(gateway, "One provider first", provider(model, "order", DemoContext.strings(other)));
    show(gateway, "One provider only", provider(model, "only", DemoContext.strings(other)));
    show(
        gateway,
        "Exactly one attempt",
        request(model).with("provider", Json.object().put("allow_fallbacks", false).build()));
    secondModel(gateway, models);
    show(
        gateway,
        "A provider that does not exist",
        provider(model, "only", DemoContext.strings("nobody")));
  }

  /** Explains a request with two models and a provider that serves only the second one. */
  private void secondModel(Gateway gateway, List<ModelInfo> models) {
    ModelInfo first = models.getFirst();
    List<String> firstProviders = providers(first);
    for (ModelInfo second : models) {
      for (String slug : providers(second)) {
        if (!firstProviders.contains(slug)) {
          Json.Obj request =
              request(first)
                  .without("model")
                  .with("models", DemoContext.strings(first.id(), second.id()))
                  .with("provider", Json.object().put("only", DemoContext.strings(slug)).build());
          show(gateway, "A second model, when the only provider does not serve the first", request);
          return;
        }
      }
    }
  }

  private void show(Gateway gateway, String title, Json.Obj request) {
    demoReport.scene(title);
    demoReport.showRequest(request.without("messages"));
    long start = ambient.nanoTime();
    Routing.Explanation explained = gateway.routing().explain(request.toBytes(), SEED);
    double millis = (ambient.nanoTime() - start) / 1e6;
    DecisionView decision = DecisionView.of(explained);
    demoReport.say("decided and explained in " + DemoReport.millis(millis));
    demoReport.lines(DecisionTable.top(decision, SHOWN));
  }

  private static Json.Obj request(ModelInfo model) {
    return DemoContext.request(model.id(), "Hello?").build();
  }

  private static Json.Obj provider(ModelInfo model, String preference, Json value) {
    return request(model).with("provider", Json.object().put(preference, value).build());
  }
}
