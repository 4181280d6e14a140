package io.strowger.benchmarks.quality;

import io.strowger.spi.json.Json;

/**
 * A router with a setting, as a request names them.
 *
 * @param router the model name of the request, such as {@code router/auto}
 * @param plugin the id of the router's plugin
 * @param member the member of the plugin's entry that is set; empty for none
 * @param value the value of the member; ignored when there is none
 */
record RouterSetting(String router, String plugin, String member, Json value) {
  /** Creates a setting without any member. */
  static RouterSetting plain(String router, String plugin) {
    return new RouterSetting(router, plugin, "", Json.NULL);
  }

  /** Returns the router and its member, as shown in the report. */
  String label() {
    return member.isEmpty() ? router : router + " " + member + " " + valueText();
  }

  private String valueText() {
    return switch (value) {
      case Json.Str word -> word.text();
      case Json.Num number -> number.decimal().toPlainString();
      default -> value.toString();
    };
  }

  /** Returns the body of a chat request, JSON in UTF-8. */
  byte[] body(String prompt) {
    Json message = Json.object().put("role", "user").put("content", prompt).build();
    var body = Json.object().put("model", router).put("messages", Json.array(message));
    if (!member.isEmpty()) {
      Json entry = Json.object().put("id", plugin).put(member, value).build();
      body.put("plugins", Json.array(entry));
    }
    return body.build().toBytes();
  }
}
