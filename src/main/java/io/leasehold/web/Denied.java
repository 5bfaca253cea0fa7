package io.leasehold.web;

/** A caller was refused: published as an event for whoever keeps the record. */
public record Denied(Caller caller, String operation, int status, String traceId) {}
