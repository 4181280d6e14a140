package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;

/**
 * The rules for calls of client-side tools other than functions, and for their outputs. {@code
 * call_id} links a call and its output, except for a local shell, where {@code id} does. Responses
 * fact sheet, "Input items". The sheet lists no further members; those in the rules here are
 * checked for their type.
 */
final class CallItems {
  static final Rule<Message> CUSTOM =
      unchanged(
          callMembers().optional("name", string().orNull()).optional("input", string().orNull()));

  static final Rule<Message> CUSTOM_OUTPUT = unchanged(callMembers());

  static final Rule<Message> APPLY_PATCH =
      unchanged(callMembers().optional("operation", object().orNull()));

  static final Rule<Message> APPLY_PATCH_OUTPUT = unchanged(callMembers());

  static final Rule<Message> SHELL = unchanged(callMembers().optional("action", object().orNull()));

  static final Rule<Message> SHELL_OUTPUT = unchanged(callMembers());

  static final Rule<Message> LOCAL_SHELL =
      unchanged(
          commonMembers()
              .optional("call_id", string().orNull())
              .optional("action", object().orNull()));

  static final Rule<Message> LOCAL_SHELL_OUTPUT =
      unchanged(commonMembers().optional("call_id", string().orNull()));

  private CallItems() {}

  /** Returns the table of the members that every item has. */
  static MemberTable.Builder<Json.Obj> commonMembers() {
    return MemberTable.<Json.Obj>table()
        .optional("id", string().orNull())
        .optional("status", string().orNull());
  }

  private static MemberTable.Builder<Json.Obj> callMembers() {
    return commonMembers().required("call_id", string());
  }

  /** Returns the rule for an item that is kept unchanged. */
  static Rule<Message> unchanged(MemberTable.Builder<Json.Obj> members) {
    return MemberTable.mapped(members.build(), InputItems::unchanged);
  }
}
