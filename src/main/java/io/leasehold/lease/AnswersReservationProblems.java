package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** For the document: what refuses here says which times do not fit. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ApiResponse(
    responseCode = "409",
    description = "Refused, or not possible in this state.",
    content =
        @Content(
            mediaType = "application/problem+json",
            schema = @Schema(implementation = ReservationProblem.class)))
@interface AnswersReservationProblems {}
