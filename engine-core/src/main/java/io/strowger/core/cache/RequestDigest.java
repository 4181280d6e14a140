package io.strowger.core.cache;

import io.strowger.core.config.PluginSettings;
import io.strowger.core.digest.Sha256;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the SHA-256 of a request. White space and escapes in texts do not matter; the order of
 * members does, as do the spelling of a number and whether a member is absent or has its default.
 * Open question 82.
 *
 * <p>The conversation is digested as it is after content filters, without the words that they
 * removed, and all other members as the request has them. The upstream features, which come in a
 * header and change what an upstream answers, and the plugin settings of the configuration are
 * digested, too.
 */
final class RequestDigest {
  private RequestDigest() {}

  /**
   * Returns the SHA-256 of a request.
   *
   * @param plugins the plugin settings of the configuration; an answer stored under earlier
   *     settings may not have been inspected as these settings require
   */
  static byte[] sha256(InferenceRequest request, PluginSettings plugins) {
    Json.Obj members = request.members();
    Set<String> conversation = conversationMembers(request.dialect());
    var out = new JsonOutput(Math.max(256, members.sourceLength()));
    if (request.kind() != Endpoint.Kind.CHAT) {
      out.string(request.kind().name());
    }
    for (int i = 0; i < members.size(); i++) {
      out.string(members.name(i));
      out.raw(':');
      if (!conversation.contains(members.name(i))) {
        write(members.value(i), out);
      }
    }
    Message instructions = request.instructions();
    if (instructions != null) {
      write(json(instructions), out);
    }
    out.raw(';');
    for (Message message : request.messages()) {
      write(json(message), out);
    }
    out.raw(';');
    request.upstreamFeatures().forEach(out::string);
    out.raw(';');
    write(plugins, out);
    return digest(out);
  }

  /** Returns the members from which the typed messages are read. */
  private static Set<String> conversationMembers(Dialect dialect) {
    return switch (dialect) {
      case CHAT -> Set.of("messages");
      case MESSAGES -> Set.of("messages", "system");
      case RESPONSES -> Set.of("input", "instructions");
      case GEMINI -> Set.of();
    };
  }

  private static void write(PluginSettings plugins, JsonOutput out) {
    for (PluginEntry entry : plugins.defaults()) {
      out.string(entry.id());
      out.raw(entry.enabled() ? '+' : '-');
      write(entry.config(), out);
    }
    out.raw(';');
    plugins
        .settings()
        .forEach(
            (id, settings) -> {
              out.string(id);
              write(settings, out);
            });
  }

  /** Writes a value in canonical form. */
  private static void write(Json json, JsonOutput out) {
    switch (json) {
      case Json.Obj obj -> {
        out.raw('{');
        for (int i = 0; i < obj.size(); i++) {
          out.string(obj.name(i));
          out.raw(':');
          write(obj.value(i), out);
          out.raw(',');
        }
        out.raw('}');
      }
      case Json.Arr arr -> {
        out.raw('[');
        for (Json item : arr) {
          write(item, out);
          out.raw(',');
        }
        out.raw(']');
      }
      case Json.Str str -> out.string(str.text());
      case Json.Num num -> out.ascii(num.spelling());
      case Json.Bool bool -> bool.writeTo(out);
      case Json.Null none -> none.writeTo(out);
    }
  }

  /**
   * Returns all content of a message: its source where there is one, otherwise its fields. The form
   * belongs to no dialect; it is compared, never sent.
   */
  private static Json json(Message message) {
    Json source = message.source();
    return source != null
        ? source
        : Json.object()
            .put("changed", message.role().wireName())
            .put("content", message.contentForm().name())
            .put("parts", parts(message.parts()))
            .put("extras", message.extras())
            .build();
  }

  private static Json.Arr parts(List<Part> parts) {
    return Json.array(parts.stream().map(RequestDigest::json).toList());
  }

  private static Json json(Part part) {
    Json source = part.source();
    return source != null ? source : Json.object().put("changed", typeAndFields(part)).build();
  }

  private static Json typeAndFields(Part part) {
    return switch (part) {
      case Part.Text p -> fields("text", p.extras(), p.text());
      case Part.Image p -> fields("image", p.extras(), media(p.media()));
      case Part.Audio p -> fields("audio", p.extras(), p.data(), Json.of(p.format()));
      case Part.Video p -> fields("video", p.extras(), p.url());
      case Part.File p -> fields("file", p.extras(), p.file());
      case Part.ToolCall p ->
          fields("call", p.extras(), Json.of(p.id()), Json.of(p.name()), arguments(p.arguments()));
      case Part.ToolResult p ->
          fields(
              "result",
              p.extras(),
              Json.of(p.callId()),
              Json.of(p.form().name()),
              Json.of(p.isError()),
              parts(p.content()));
      case Part.Thinking p ->
          fields(
              "thinking",
              p.extras(),
              Json.of(p.kind().name()),
              p.text(),
              orNull(p.signature()),
              text(p.format()),
              text(p.id()));
      case Part.Refusal p -> fields("refusal", Json.Obj.EMPTY, p.text());
      case Part.Citation p -> fields("citation", Json.Obj.EMPTY, p.body());
      case Part.Logprobs p -> fields("logprobs", Json.Obj.EMPTY, p.content());
      case Part.ServerToolRun p ->
          fields(
              "run",
              Json.Obj.EMPTY,
              Json.of(p.callId()),
              Json.of(p.tool()),
              arguments(p.arguments()),
              p.result());
      case Part.Unknown p -> fields("unknown", Json.Obj.EMPTY, Json.of(p.type()), p.source());
    };
  }

  private static Json fields(String kind, Json.Obj extras, Json... fields) {
    return Json.array(Json.of(kind), extras, Json.array(fields));
  }

  private static Json media(Media media) {
    return switch (media) {
      case Media.Url(Json.Str url) -> Json.array(Json.of("url"), url);
      case Media.Inline(String type, Json.Str data) -> Json.array(Json.of(type), data);
      case Media.FileId(String id) -> Json.array(Json.of("id"), Json.of(id));
    };
  }

  private static Json arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str text) -> Json.array(text);
      case Arguments.Value(Json value) -> value;
    };
  }

  private static Json orNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }

  private static Json text(@Nullable String text) {
    return text == null ? Json.NULL : Json.of(text);
  }

  private static byte[] digest(JsonOutput out) {
    try {
      MessageDigest sha256 = Sha256.start();
      out.writeTo(new DigestOutputStream(OutputStream.nullOutputStream(), sha256));
      return sha256.digest();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
