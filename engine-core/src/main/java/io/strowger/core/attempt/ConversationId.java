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
 * Which conversation a request is a turn of: the one it names by {@code session_id} (or the header
 * that stands in for it), else by {@code prompt_cache_key}, else the one that begins with the same
 * words. 128 bits of a SHA-256. Routing fact sheet, section 12.
 *
 * @param named by {@code session_id}, which is a promise; the others are signs
 */
record ConversationId(long high, long low, boolean named) {
  /** Longest source of a part other than text that is looked at; of a longer one its length is. */
  private static final int LONGEST = 4096;

  /**
   * Characters of a text that are looked at; of the rest only how long it is. So a large prompt
   * costs no more than a small one, and two conversations that begin with the same long text meet
   * only when their texts are equally long: then the worst is a preference that helps nobody.
   */
  private static final int BEGINNING = 1024;

  /** Null when nothing tells one conversation from another. */
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
    text(digest, name);
    return of(digest, kind.equals("session"));
  }

  /** The first system or developer message and the first other one. */
  private static @Nullable ConversationId ofBeginning(InferenceRequest request) {
    Message system = request.instructions();
    Message said = null;
    for (Message message : request.messages()) {
      if (isSystem(message)) {
        system = system == null ? message : system;
      } else if (said == null) {
        said = message;
      }
    }
    if (said == null) {
      return null;
    }
    MessageDigest digest = start("beginning");
    if (system != null) {
      message(digest, system);
    }
    message(digest, said);
    return of(digest, false);
  }

  private static boolean isSystem(Message message) {
    return message.role() == Message.Role.SYSTEM || message.role() == Message.Role.DEVELOPER;
  }

  private static void message(MessageDigest digest, Message message) {
    text(digest, message.role().wireName());
    for (Part part : message.parts()) {
      Json source = part.source();
      if (part instanceof Part.Text words) {
        text(digest, words.text().beginning(BEGINNING));
        number(digest, words.text().utf8Bound());
      } else if (source != null) {
        int length = source.writtenLength();
        text(digest, length <= LONGEST ? source.toString() : Integer.toString(length));
      }
    }
  }

  /** Its length goes before it, so that two texts never look like two others. */
  private static void text(MessageDigest digest, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(digest, utf8.length);
    digest.update(utf8);
  }

  private static void number(MessageDigest digest, int number) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
  }

  private static MessageDigest start(String kind) {
    MessageDigest digest = Sha256.start();
    text(digest, kind);
    return digest;
  }

  private static ConversationId of(MessageDigest digest, boolean named) {
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return new ConversationId(hash.getLong(), hash.getLong(), named);
  }
}
