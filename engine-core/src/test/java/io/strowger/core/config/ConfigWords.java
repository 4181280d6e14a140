package io.strowger.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Words for tests of configurations; single quotes stand for double ones. */
final class ConfigWords {
  private ConfigWords() {}

  static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException bad) {
      throw new IllegalArgumentException(text, bad);
    }
  }

  static ConfigResult read(Json document, Map<String, String> environment) {
    return new ConfigReader(new JacksonCodec(), environment::get).read(document);
  }

  static ConfigResult read(Json document) {
    return read(document, Map.of());
  }

  /** A document with one provider and one model, the smallest useful one, and further members. */
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

  /** The smallest document whose one provider has further members. */
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

  /** The smallest document whose one model has further members. */
  static Json.Obj withModel(String members) {
    Json.Obj model =
        Json.object()
            .putAll(json("{'id': 'acme/large', 'endpoints': [{'provider': 'alpha'}]}"))
            .putAll(json("{" + members + "}"))
            .build();
    return minimal("").with("models", Json.array(model));
  }

  /** The smallest document whose one endpoint has further members. */
  static Json.Obj withEndpoint(String members) {
    return withModel("'endpoints': [{'provider': 'alpha', " + members + "}]");
  }

  static GatewayConfig accepted(Json document) {
    ConfigResult result = read(document);
    assertThat(result.problems()).isEmpty();
    return result.orThrow();
  }

  static List<String> problems(Json document) {
    return read(document).problems().stream().map(Problem::toString).toList();
  }
}
