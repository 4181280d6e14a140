package io.strowger.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Builds and reads configurations for tests. Single quotes are replaced by double quotes. */
final class TestConfigs {
  private TestConfigs() {}

  static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static ConfigResult read(Json document, Map<String, String> environment) {
    return new ConfigReader(new JacksonCodec(), environment::get).read(document);
  }

  static ConfigResult read(Json document) {
    return read(document, Map.of());
  }

  /** Returns the smallest valid document, with one provider and one model, and further members. */
  static Json.Obj minimal(String members) {
    Json.Obj more = json("{" + members + "}");
    return Json.object()
        .putAll(
            json(
                """
                {'providers': [
                   {'slug': 'alpha', 'protocol': 'openai-chat', 'base_url': 'https://alpha.test/v1'}],
                 'models': [{'id': 'acme/large', 'endpoints': [{'provider': 'alpha'}]}]}
                """))
        .putAll(more)
        .build();
  }

  /** Returns the smallest valid document with further members of its provider. */
  static Json.Obj withProvider(String members) {
    Json.Obj provider =
        Json.object()
            .putAll(
                json(
                    "{'slug': 'alpha', 'protocol': 'openai-chat', 'base_url':"
                        + " 'https://a.test/v1'}"))
            .putAll(json("{" + members + "}"))
            .build();
    return minimal("").with("providers", Json.array(provider));
  }

  /** Returns the smallest valid document with further members of its model. */
  static Json.Obj withModel(String members) {
    Json.Obj model =
        Json.object()
            .putAll(json("{'id': 'acme/large', 'endpoints': [{'provider': 'alpha'}]}"))
            .putAll(json("{" + members + "}"))
            .build();
    return minimal("").with("models", Json.array(model));
  }

  /** Returns the smallest valid document with further members of its endpoint. */
  static Json.Obj withEndpoint(String members) {
    return withModel("'endpoints': [{'provider': 'alpha', " + members + "}]");
  }

  /** Reads a document that must be valid. */
  static GatewayConfig accept(Json document) {
    ConfigResult result = read(document);
    assertThat(result.problems()).isEmpty();
    return result.orThrow();
  }

  static List<String> problems(Json document) {
    return read(document).problems().stream().map(Problem::toString).toList();
  }
}
