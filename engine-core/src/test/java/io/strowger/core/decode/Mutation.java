package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A change of one member of a valid body that breaks exactly one rule.
 *
 * @param member the name of the changed member
 * @param value the new value; null to remove the member
 * @param at the JSON pointer of the expected problem
 * @param allowed the text of the expected problem
 */
public record Mutation(String member, @Nullable Json value, String at, String allowed) {

  /** Returns a mutation whose problem is at the member itself. */
  public static Mutation set(String member, String json, String allowed) {
    return set(member, json, "", allowed);
  }

  /**
   * Returns a mutation whose problem is inside the member.
   *
   * @param json the new value of the member, with single quotes
   * @param under the pointer of the problem relative to the member, such as {@code /0/text}
   */
  public static Mutation set(String member, String json, String under, String allowed) {
    return new Mutation(member, TestJson.of(json), "/" + member + under, allowed);
  }

  /** Returns a mutation that removes a required member. */
  public static Mutation without(String member) {
    return new Mutation(member, null, "/" + member, "is required");
  }

  /** Applies the change to a body. */
  public Json.Obj of(Json.Obj body) {
    return value == null ? body.without(member) : body.with(member, value);
  }
}
