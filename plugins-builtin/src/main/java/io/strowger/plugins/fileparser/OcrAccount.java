package io.strowger.plugins.fileparser;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Field;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The address, key and model of an OCR service.
 *
 * @param url the address without {@code /v1/ocr}
 * @param key the API key; null when the service needs none
 * @param model the model to ask for
 */
record OcrAccount(String url, @Nullable String key, String model) {
  private static final String DEFAULT_MODEL = "mistral-ocr-latest";
  private static final Set<String> MEMBERS = Set.of("url", "api_key", "model");

  static Json.Obj schema() {
    Json text = Json.object().put("type", "string").build();
    var members = Json.object().put("url", text).put("api_key", text).put("model", text).build();
    var service =
        Json.object()
            .put("type", "object")
            .put("properties", members)
            .put("required", Json.array(Json.of("url")))
            .build();
    return Json.object().put("type", "array").put("maxItems", 1).put("items", service).build();
  }

  /** Reads the list of services, which has at most one. */
  static List<OcrAccount> read(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Arr items) || items.size() > 1) {
      problems.report("", "must be an array of at most one OCR service", member);
      return List.of();
    }
    if (items.isEmpty()) {
      return List.of();
    }
    if (!(items.get(0) instanceof Json.Obj object)) {
      problems.report("/0", "must be an object", items.get(0));
      return List.of();
    }
    for (int i = 0; i < object.size(); i++) {
      if (!MEMBERS.contains(object.name(i))) {
        String escapedName = object.name(i).replace("~", "~0").replace("/", "~1");
        problems.report(
            "/0/" + escapedName,
            "is not a member here; allowed: url, api_key, model",
            object.value(i));
      }
    }
    String url = text(object, "url", problems);
    if (url == null) {
      problems.reportMissing("/0/url");
    } else if (!isWebAddress(url)) {
      problems.report("/0/url", "must be an http or https address", object);
    }
    String key = text(object, "api_key", problems);
    String model = text(object, "model", problems);
    return List.of(
        new OcrAccount(url == null ? "" : url, key, model == null ? DEFAULT_MODEL : model));
  }

  /**
   * Returns the string member; null when it is absent or null; empty when it is invalid, after
   * reporting a problem.
   */
  private static @Nullable String text(Json.Obj object, String name, Field.Reporter problems) {
    Json value = object.get(name);
    if (value == null || value instanceof Json.Null) {
      return null;
    }
    if (value instanceof Json.Str text
        && !text.text().isBlank()
        && text.text().chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
      return text.text();
    }
    problems.report("/0/" + name, "must be a string of printable ASCII that is not blank", value);
    return "";
  }

  private static boolean isWebAddress(String url) {
    try {
      URI address = URI.create(url);
      return address.getHost() != null
          && address.getRawUserInfo() == null
          && ("https".equals(address.getScheme()) || "http".equals(address.getScheme()));
    } catch (IllegalArgumentException e) {
      return url.isEmpty(); // reported already
    }
  }

  /** Returns a text without the key, which is a secret. */
  @Override
  public String toString() {
    return "OCR service";
  }
}
