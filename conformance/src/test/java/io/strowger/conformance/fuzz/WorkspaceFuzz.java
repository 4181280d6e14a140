package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.WorkspaceTable;
import io.strowger.spi.catalog.Usd;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The table of bodies of workspaces and their budgets, given anything,")
class WorkspaceFuzz {
  static final Target<ResourceType.Values> TARGET =
      Target.of(WorkspaceFuzz.class, WorkspaceTable.TYPE::create);

  static final Target<ResourceType.Values> UPDATE =
      Target.of(WorkspaceFuzz.class, WorkspaceTable.TYPE::update);

  private static final Target<Usd> BUDGET = Target.of(WorkspaceFuzz.class, WorkspaceTable::budget);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
    BUDGET.check(input);
  }
}
