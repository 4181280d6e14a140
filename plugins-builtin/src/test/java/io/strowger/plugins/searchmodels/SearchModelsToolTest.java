package io.strowger.plugins.searchmodels;

import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.plugin.ServerTool.ToolException;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.ServerToolContract;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The search for models")
class SearchModelsToolTest extends ServerToolContract {
  @Override
  protected ServerTool tool() {
    return new SearchModelsTool();
  }

  @Override
  protected SchemaValidator schemaValidator() {
    return new JsonSchemaValidator();
  }

  @Override
  protected FakeChain chain() {
    return super.chain().withCatalog(CATALOG);
  }

  @Override
  protected List<Json.Obj> parameters() {
    return List.of(Json.object().put("max_results", 20).build());
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(
        Json.Obj.EMPTY,
        Json.object()
            .put("query", "acme large")
            .put("input_modalities", Json.array(Json.of("image")))
            .put("min_context_length", 1000)
            .put("series", "acme")
            .build());
  }

  private static final Catalog CATALOG = catalog();

  private static Catalog catalog() {
    var catalog = Catalog.builder("test");
    for (int i = 0; i < 25; i++) {
      String id = "acme/large-" + i;
      catalog.add(
          ModelInfo.builder(id).createdAt(Instant.EPOCH.plusSeconds(i)).build(),
          List.of(endpoint("alpha", id, "2")));
    }
    catalog.add(
        ModelInfo.builder("other/eyes").name("Keen Eyes").family("other/sight").build(),
        List.of(
            endpoint("alpha", "other/eyes", "1").toBuilder()
                .contextLength(1_000_000)
                .inputModalities(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE)))
                .build()));
    catalog.add(
        ModelInfo.builder("secret/large").isPrivate(true).build(),
        List.of(endpoint("alpha", "secret/large", "1")));
    catalog.add(
        ModelInfo.builder("hidden/large").isHidden(true).build(),
        List.of(endpoint("alpha", "hidden/large", "1")));
    catalog.add(ModelInfo.builder("unserved/large").build(), List.of());
    return catalog.build();
  }

  private static Json.Obj search(Json.Obj arguments, Json.Obj parameters) throws ToolException {
    return (Json.Obj)
        new SearchModelsTool()
            .run(
                new Invocation(arguments, parameters, Given.request("acme/large-1", "hi")),
                FakeChain.of(List.of()).withCatalog(CATALOG));
  }

  private static List<String> ids(Json.Obj result) {
    var ids = new ArrayList<String>();
    for (Json model : (Json.Arr) Objects.requireNonNull(result.get("models"))) {
      ids.add(((Json.Obj) model).text("id"));
    }
    return ids;
  }

  @Proves("plugins.loop.search_models")
  @Test
  @DisplayName("returns five models, newest first, and the number of all matches")
  void five() throws ToolException {
    Json.Obj found = search(Json.object().put("query", "LARGE").build(), Json.Obj.EMPTY);
    assertThat(ids(found))
        .containsExactly(
            "acme/large-24", "acme/large-23", "acme/large-22", "acme/large-21", "acme/large-20");
    assertThat(found.longValue("total_results", 0)).isEqualTo(25);
    assertThat(found.longValue("showing", 0)).isEqualTo(5);
  }

  @Test
  @DisplayName("returns as many models as were declared, and no hidden, private or unserved ones")
  void declared() throws ToolException {
    Json.Obj found = search(Json.Obj.EMPTY, Json.object().put("max_results", 20).build());
    assertThat(ids(found)).hasSize(20).noneMatch(id -> id.matches("(secret|hidden|unserved)/.*"));
    assertThat(found.longValue("total_results", 0)).isEqualTo(26);
  }

  @Proves("plugins.loop.search_models")
  @Test
  @DisplayName("returns only models that meet all conditions")
  void all() throws ToolException {
    Json.Obj images = Json.object().put("input_modalities", words("text", "image")).build();
    assertThat(ids(search(images, Json.Obj.EMPTY))).containsExactly("other/eyes");
    for (Json.Obj one :
        List.of(
            Json.object().put("series", "SIGHT").build(),
            Json.object().put("query", "keen eyes").build(),
            Json.object().put("min_context_length", 200_000).build())) {
      assertThat(ids(search(one, Json.Obj.EMPTY))).as("%s", one).containsExactly("other/eyes");
    }
    Json.Obj none = images.with("query", Json.of("large"));
    assertThat(search(none, Json.Obj.EMPTY).longValue("total_results", -1)).isZero();
  }

  private static Json words(String... words) {
    return Json.array(List.of(words).stream().map(Json::of).toList());
  }

  @Test
  @DisplayName("describes the inputs, outputs and prices of a model")
  void shown() throws ToolException {
    Json.Obj found = search(Json.object().put("query", "eyes").build(), Json.Obj.EMPTY);
    assertThat(String.valueOf(found.get("models")))
        .isEqualTo(
            "[{\"id\":\"other/eyes\",\"name\":\"Keen Eyes\",\"context_length\":1000000,"
                + "\"input_modalities\":[\"text\",\"image\"],\"output_modalities\":[\"text\"],"
                + "\"pricing\":{\"prompt\":\"0.000001\",\"completion\":\"0.000001\"}}]");
  }

  @Test
  @DisplayName("lists the allowed words when the model makes one up")
  void unknown() {
    assertThatThrownBy(
            () ->
                search(
                    Json.object().put("output_modalities", words("smell")).build(), Json.Obj.EMPTY))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("output_modalities must be a list of words from [text, image");
  }
}
