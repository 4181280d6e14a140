package io.strowger.benchmarks;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Bodies of chat requests as agents and applications send them, always the same: messages of about
 * 2 KB that alternate between prose and code, the members of an ordinary request, and preferences
 * that a gateway must apply and remove.
 */
public final class ChatBodies {
  static final String MODEL = LargeCatalog.requestedModel();

  private static final int KILOBYTE = 1024;
  private static final int MESSAGE_BYTES = 2 * KILOBYTE;
  private static final String[] WORDS =
      ("the exchange routes a caller to whoever answers first and keeps the books "
              + "about it in small numbers nobody can bend")
          .split(" ");
  private static final String[] NON_ASCII_WORDS = {
    "электронная", "почта", "交換機", "は", "自動", "で", "接続", "する", "größte", "Ärgernisse", "😀"
  };
  private static final String[] CODE = {
    "for (int i = 0; i < lines.size(); i++) {\n",
    "\tString line = lines.get(i).replace(\"\\\\\", \"/\");\n",
    "\tif (line.startsWith(\"#\")) {\n\t\tcontinue;\n\t}\n",
    "\tcounts.merge(line, 1, Integer::sum);\n}\n",
    "assert counts.get(\"total\") == 0 : \"lost \\\"\" + name + \"\\\"\";\n"
  };

  private final SplittableRandom random = new SplittableRandom(17);

  private ChatBodies() {}

  /**
   * Returns a body by its name.
   *
   * @param name {@code 1k}, {@code 32k}, {@code 256k}: a body of about this size; {@code wide32k}:
   *     32k of mostly non-ASCII text; {@code many}: 200 short messages and 20 tools
   */
  static byte[] named(String name) {
    return bytes(new ChatBodies().body(name));
  }

  /** Returns a body by its name, for another model. */
  public static byte[] named(String name, String model, boolean streaming) {
    Json.Obj body = new ChatBodies().body(name);
    return bytes(body.with("model", Json.of(model)).with("stream", Json.of(streaming)));
  }

  private Json.Obj body(String name) {
    return switch (name) {
      case "1k" -> request(conversation(KILOBYTE - 300, WORDS), List.of());
      case "32k" -> request(conversation(32 * KILOBYTE, WORDS), List.of());
      case "256k" -> request(conversation(256 * KILOBYTE, WORDS), List.of());
      case "wide32k" -> request(conversation(32 * KILOBYTE, NON_ASCII_WORDS), List.of());
      case "many" -> request(shortMessages(200), tools(20));
      default -> throw new IllegalArgumentException("no body is called " + name);
    };
  }

  /** Returns the number of JSON values in a body, containers included. */
  static int countValues(String name) {
    return countValues(new ChatBodies().body(name));
  }

  private static int countValues(Json json) {
    int values = 1;
    if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        values += countValues(object.value(i));
      }
    } else if (json instanceof Json.Arr array) {
      for (int i = 0; i < array.size(); i++) {
        values += countValues(array.get(i));
      }
    }
    return values;
  }

  private static byte[] bytes(Json.Obj body) {
    var out = new JsonOutput(KILOBYTE);
    body.writeTo(out);
    return out.toByteArray();
  }

  private Json.Obj request(List<Json> messages, List<Json> tools) {
    var body =
        Json.object()
            .put("model", MODEL)
            .put("messages", Json.array(messages))
            .put("max_tokens", 2_000)
            .put("stream", false)
            .put(
                "provider",
                Json.object()
                    .put("order", Json.array(Json.of("provider-0"), Json.of("provider-1")))
                    .put("allow_fallbacks", true)
                    .build())
            .put("user", "customer-4711");
    return tools.isEmpty() ? body.build() : body.put("tools", Json.array(tools)).build();
  }

  private List<Json> conversation(int bytes, String[] words) {
    var messages = new ArrayList<Json>();
    messages.add(message("system", prose(Math.min(bytes / 4, 500), words)));
    for (int written = Math.min(bytes / 4, 500); written < bytes; written += MESSAGE_BYTES) {
      int size = Math.min(MESSAGE_BYTES, bytes - written);
      boolean isCode = messages.size() % 2 == 0;
      messages.add(
          message(isCode ? "assistant" : "user", isCode ? code(size) : prose(size, words)));
    }
    return messages;
  }

  private List<Json> shortMessages(int count) {
    var messages = new ArrayList<Json>();
    for (int i = 0; i < count; i++) {
      messages.add(message(i % 2 == 0 ? "user" : "assistant", prose(80, WORDS)));
    }
    return messages;
  }

  private List<Json> tools(int count) {
    var tools = new ArrayList<Json>();
    for (int i = 0; i < count; i++) {
      var properties = Json.object();
      for (int p = 0; p < 5; p++) {
        properties.put(
            "argument_" + p,
            Json.object().put("type", "string").put("description", prose(60, WORDS)).build());
      }
      var parameters =
          Json.object()
              .put("type", "object")
              .put("properties", properties.build())
              .put("required", Json.array(Json.of("argument_0")));
      var function =
          Json.object()
              .put("name", "tool_" + i)
              .put("description", prose(120, WORDS))
              .put("parameters", parameters.build());
      tools.add(Json.object().put("type", "function").put("function", function.build()).build());
    }
    return tools;
  }

  private static Json message(String role, String content) {
    return Json.object().put("role", role).put("content", content).build();
  }

  /** Returns random words of about this many bytes. */
  private String prose(int bytes, String[] words) {
    var text = new StringBuilder();
    for (int written = 0; written < bytes; ) {
      String word = words[random.nextInt(words.length)];
      text.append(word).append(random.nextInt(12) == 0 ? ".\n" : " ");
      written += word.codePointAt(0) < 0x80 ? word.length() + 1 : word.length() * 2 + 1;
    }
    return text.toString();
  }

  private String code(int bytes) {
    var text = new StringBuilder();
    while (text.length() < bytes) {
      text.append(CODE[random.nextInt(CODE.length)]);
    }
    return text.toString();
  }
}
