package leasehold

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The generated Go client reads what the service answers, new values of enumerations included.
func TestDecode(t *testing.T) {
	var lease Lease
	read(t, "lease.json", &lease)
	if lease.GetState() != "HIBERNATING" {
		t.Fatal(lease.GetState())
	}
	units := lease.GetAllocations()[0].GetGpus()[1].GetUnits()[0]
	if units.GetEnd() != 625 {
		t.Fatal(units.GetEnd())
	}
	var refusal Problem
	read(t, "refusal.json", &refusal)
	if refusal.GetCode() != "refused-shortage" {
		t.Fatal(refusal.GetCode())
	}
	var page LeasePage
	read(t, "page.json", &page)
	if page.GetItems()[0].GetState() != "WAITING" || page.GetNextPageToken() != "bmV4dA" {
		t.Fatal(page)
	}
}

func read(t *testing.T, name string, into any) {
	bytes, err := os.ReadFile(filepath.Join(os.Getenv("FIXTURES"), name))
	if err == nil {
		err = json.Unmarshal(bytes, into)
	}
	if err != nil {
		t.Fatal(name, err)
	}
}
