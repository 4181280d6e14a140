package io.strowger.core.attempt;

import io.strowger.core.digest.Sha256;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the conversation a request belongs to: by {@code session_id} (or the header that
 * replaces it), else by {@code prompt_cache_key}, else by its first messages. The id is 128 bits of
 * a SHA-256. Routing fact sheet, section 12.
 *
 * @param isExplicit whether {@code session_id} names it; otherwise the id is a guess
 */
record ConversationId(long high, long low, boolean isExplicit) {
  /** The longest source of a non-text part to hash; of a longer one only the length is hashed. */
  private static final int MAX_SOURCE_LENGTH = 4096;

  /**
   * The most characters of a text to hash; of the rest only the length is hashed, so that a large
   * prompt costs no more than a small one. Two conversations that begin with the same long text
   * collide only when their texts are equally long; the worst effect is a useless sticky endpoint.
   */
  private static final int MAX_TEXT_CHARS = 1024;

  /** Returns the id of a request's conversation; null when nothing identifies it. */
  static @Nullable ConversationId of(InferenceRequest request) {
    String session = request.sessionId();
    if (session != null && !session.isEmpty()) {
      return of("session", session);
    }
    if (request.member("prompt_cache_key") instanceof Json.Str key && !key.isEmpty()) {
      return of("key", key.text());
    }
    return ofBeginning(request);
  }

  private static ConversationId of(String kind, String name) {
    MessageDigest digest = start(kind);
    addText(digest, name);
    return of(digest, kind.equals("session"));
  }

  /** Hashes the first system or developer message and the first message of any other role. */
  private static @Nullable ConversationId ofBeginning(InferenceRequest request) {
    Message system = request.instructions();
    Message first = null;
    for (Message message : request.messages()) {
      if (isSystem(message)) {
        system = system == null ? message : system;
      } else if (first == null) {
        first = message;
      }
    }
    if (first == null) {
      return null;
    }
    MessageDigest digest = start("beginning");
    if (system != null) {
      addMessage(digest, system);
    }
    addMessage(digest, first);
    return of(digest, false);
  }

  private static boolean isSystem(Message message) {
    return message.role() == Message.Role.SYSTEM || message.role() == Message.Role.DEVELOPER;
  }

  private static void addMessage(MessageDigest digest, Message message) {
    addText(digest, message.role().wireName());
    for (Part part : message.parts()) {
      Json source = part.source();
      if (part instanceof Part.Text text) {
        addText(digest, text.text().beginning(MAX_TEXT_CHARS));
        addNumber(digest, text.text().utf8Bound());
      } else if (source != null) {
        int length = source.writtenLength();
        addText(digest, length <= MAX_SOURCE_LENGTH ? source.toString() : Integer.toString(length));
      }
    }
  }

  /** Hashes the length first, so that the boundary between two texts is unambiguous. */
  private static void addText(MessageDigest digest, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    addNumber(digest, utf8.length);
    digest.update(utf8);
  }

  private static void addNumber(MessageDigest digest, int number) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
  }

  private static MessageDigest start(String kind) {
    MessageDigest digest = Sha256.start();
    addText(digest, kind);
    return digest;
  }

  private static ConversationId of(MessageDigest digest, boolean isExplicit) {
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return new ConversationId(hash.getLong(), hash.getLong(), isExplicit);
  }
}
