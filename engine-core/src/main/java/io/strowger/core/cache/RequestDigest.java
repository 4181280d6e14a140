package io.strowger.core.cache;

import io.strowger.core.config.PluginSettings;
import io.strowger.core.digest.Sha256;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.PluginEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Set;

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
      write(MessageJson.of(instructions), out);
    }
    out.raw(';');
    for (Message message : request.messages()) {
      write(MessageJson.of(message), out);
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
