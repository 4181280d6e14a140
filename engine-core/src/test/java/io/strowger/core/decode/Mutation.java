package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A change of one member of a good body that breaks exactly one rule.
 *
 * @param member of the body
 * @param value what it becomes; null when it is taken away
 * @param at where the one problem is
 * @param allowed what the problem says
 */
public record Mutation(String member, @Nullable Json value, String at, String allowed) {

  /** The member itself is wrong. */
  public static Mutation set(String member, String json, String allowed) {
    return set(member, json, "", allowed);
  }

  /**
   * Something in the member is wrong.
   *
   * @param json what the member becomes, in single quotes
   * @param under the place of the problem, from the member on: {@code /0/text}
   */
  public static Mutation set(String member, String json, String under, String allowed) {
    return new Mutation(member, Drawn.json(json), "/" + member + under, allowed);
  }

  /** A required member is gone. */
  public static Mutation without(String member) {
    return new Mutation(member, null, "/" + member, "is required");
  }

  public Json.Obj of(Json.Obj body) {
    return value == null ? body.without(member) : body.with(member, value);
  }
}
