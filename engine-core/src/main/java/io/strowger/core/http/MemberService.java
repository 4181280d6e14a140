package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.config.AccountMember;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Queries;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * {@code GET /organization/members}: who belongs to the account. Resources fact sheet, section 1.
 * Safe on any thread.
 */
record MemberService(ResourceServices resources, int problemLimit) {
  WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    PageRequest pageRequest = Queries.page(request.query(), problems);
    problems.throwIfAny();
    List<AccountMember> all = resources.account().members();
    List<Json.Obj> shown =
        all.stream()
            .skip(pageRequest.offset())
            .limit(pageRequest.limit())
            .map(MemberService::json)
            .toList();
    return responseFactory.list(shown, all.size());
  }

  private static Json.Obj json(AccountMember accountMember) {
    return Json.object()
        .put("id", accountMember.id())
        .putOrNull("first_name", accountMember.firstName())
        .putOrNull("last_name", accountMember.lastName())
        .putOrNull("email", accountMember.email())
        .put("role", "org:" + accountMember.role().word())
        .build();
  }
}
