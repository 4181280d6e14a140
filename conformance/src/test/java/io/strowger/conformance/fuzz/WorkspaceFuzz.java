package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.WorkspaceDecoder;
import io.strowger.core.resource.WorkspaceFields;
import io.strowger.spi.catalog.Usd;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies of workspaces and their budgets, given anything,")
class WorkspaceFuzz {
  static final Target<WorkspaceFields> TARGET =
      Target.of(WorkspaceFuzz.class, new WorkspaceDecoder()::create);

  static final Target<WorkspaceFields.Change> UPDATE =
      Target.of(WorkspaceFuzz.class, new WorkspaceDecoder()::update);

  private static final Target<Usd> BUDGET =
      Target.of(WorkspaceFuzz.class, new WorkspaceDecoder()::budget);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
    BUDGET.check(input);
  }
}
