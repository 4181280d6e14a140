package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.config.Member;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.Page;
import io.strowger.core.resource.Queries;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * {@code GET /organization/members}: who belongs to the account. Resources fact sheet, section 1.
 * Safe on any thread.
 */
record MemberService(Resources resources, int problemLimit) {
  WireResponse list(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    Page page = Queries.page(request.query(), problems);
    problems.throwIfAny();
    List<Member> all = resources.account().members();
    List<Json.Obj> shown =
        all.stream().skip(page.offset()).limit(page.limit()).map(MemberService::json).toList();
    return responses.list(shown, all.size());
  }

  private static Json.Obj json(Member member) {
    return Json.object()
        .put("id", member.id())
        .putOrNull("first_name", member.firstName())
        .putOrNull("last_name", member.lastName())
        .putOrNull("email", member.email())
        .put("role", "org:" + member.role().word())
        .build();
  }
}
